import { Cdp } from "./cdp.js";
import { Children } from "./children.js";
import { ChromeTab } from "./chrome_tab.js";
import { ConsoleLog } from "./console_log.js";
import { Cursor } from "./cursor.js";
import { DialogRules } from "./dialog_rules.js";
import { Dialogs } from "./dialogs.js";
import { DrivenFrame } from "./driven_frame.js";
import { Effects } from "./effects.js";
import { Emulation } from "./emulation.js";
import { FileChooser } from "./file_chooser.js";
import { Frames } from "./frames.js";
import { HeldKeys } from "./held_keys.js";
import { KeptScripts } from "./kept_scripts.js";
import { Lifetime } from "./lifetime.js";
import { Listeners } from "./listeners.js";
import { Navigation } from "./navigation.js";
import { eventOf, NetworkLog } from "./network_log.js";
import { Overlay } from "./overlay.js";
import { Pointer } from "./pointer.js";
import { Popups } from "./popups.js";
import { Presses } from "./press.js";
import { Queues } from "./queues.js";
import { Renderer } from "./renderer.js";
import { Screencast } from "./screencast.js";
import { Snapshots } from "./snapshots.js";
import { Worlds } from "./worlds.js";
/** @import { Chrome } from "../basics/chrome_door.js" */
/** @import { Size } from "./emulation.js" */
/** @import { Results } from "./results.js" */
/** @import { TypedSecrets } from "./typed_secrets.js" */
/** @import { LivePicture } from "../wire/protocol.js" */

/**
 * @typedef {{source: string, worldName: string}} PageSource the page's half, and the name of its isolated world
 * @typedef {import("../wire/protocol.js").Event["events"][number]} TabEvent what the panel is told of a tab
 * @typedef {{kind: "closed", byPerson?: boolean}|{kind: "held"}} Ending what the panel is told when a tab is let go of
 * @typedef {{nextRef: number, offline: boolean, size: Size|null, kept: Record<string, string>}} Remembered what of a
 *   tab outlives the worker; `kept` is what `KeptScripts` keeps
 */

/**
 * What one connected tab is made of, put together once: each part is given the others it needs and no more.
 * @param {{chrome: Chrome, chromeTabId: number, id: string, pageSource: PageSource,
 *   viewport: Size|null, typedSecrets: TypedSecrets, results: Results, tell: (event: TabEvent) => void, remember: (changes: Partial<Remembered>) => Promise<void>,
 *   rememberSource: (id: string, source: string|null) => Promise<void>,
 *   readFile: (token: string, start: number, size: number) => Promise<string>,
 *   sendPicture: (picture: Omit<LivePicture, "type">) => void}} about `viewport` is the size every tab gets,
 *   as setDeviceMetricsOverride takes it; `typedSecrets` are those of all tabs; `results` those of the tab's commands, also of before; `tell` sends an event to the panel; the next two keep what is to outlive
 *   the worker: {nextRef}, {offline}, {size}, {kept}, and the sources of kept scripts; `readFile` gets a piece of a file
 *   that a running upload offers from the panel, in base64; `sendPicture` gives the panel one for the person who watches
 */
export function partsOf({ chrome, chromeTabId, id, pageSource, viewport, typedSecrets, tell, remember, ...panel }) {
  const cdp = new Cdp({ chrome, chromeTabId });
  const queues = new Queues();
  const heldKeys = new HeldKeys(cdp);
  const lifetime = new Lifetime({ cdp, queues, heldKeys, tell });
  const navigation = new Navigation();
  const effects = new Effects();
  const dialogs = new Dialogs();
  const overlay = new Overlay(cdp);
  const drivenFrame = new DrivenFrame(overlay);
  const emulation = new Emulation({ cdp, drivenFrame, children: () => children, remember, viewport });
  const screencast = new Screencast({ cdp, emulation, send: panel.sendPicture, tell });
  const children = new Children({ cdp, pageSource, emulation, onFrame: (frame) => frames.arrived(frame) });
  const worlds = new Worlds();
  const frames = new Frames({ worlds, children });
  return {
    id,
    pageSource,
    tell,
    cdp,
    queues,
    results: panel.results,
    lifetime,
    navigation,
    renderer: new Renderer({ cdp, navigation, flood: children.flood }),
    effects,
    dialogs,
    overlay,
    screencast,
    drivenFrame,
    emulation,
    children,
    worlds,
    frames,
    chromeTab: new ChromeTab({ chrome, chromeTabId }),
    console: new ConsoleLog({ effects, tell, flood: children.flood }),
    typedSecrets,
    dialogRules: new DialogRules({ cdp, dialogs, effects, queues, lifetime, tell }),
    heldKeys,
    fileChooser: new FileChooser({ cdp, frames, effects }),
    readFile: panel.readFile,
    keptScripts: new KeptScripts({}, (kept) => remember({ kept }), panel.rememberSource),
    pointer: new Pointer(new Cursor(overlay), (at) => screencast.show({ kind: "pointer", ...at })),
    popups: new Popups(effects),
    networkLog: new NetworkLog(undefined, (record) => tell(eventOf(record))),
    presses: new Presses(),
    listeners: new Listeners(),
    snapshots: new Snapshots((nextRef) => remember({ nextRef })),
  };
}

/** @typedef {ReturnType<typeof partsOf>} TabParts */
