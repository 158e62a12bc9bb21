import { PRESS_BINDING } from "./press.js";
/** @import { Cdp } from "./cdp.js" */
/** @import { Emulation } from "./emulation.js" */
/** @import { ConsoleLog } from "./console_log.js" */
/** @import { Navigation } from "./navigation.js" */
/** @import { PageSource } from "./parts.js" */

/** What the page's half calls with an address that it kept from another program. */
export const PROGRAM_BINDING = "kaptureProgram";

/**
 * Attach the debugger, subscribe to the events of the tab, install the page's half, learn where the tab is.
 * @param {{cdp: Cdp, navigation: Navigation, emulation: Emulation, console: ConsoleLog,
 *   pageSource: PageSource}} tab
 * @returns whether the attachment is new, not one that outlived the worker
 */
export async function subscribe({ cdp, navigation, emulation, console: log, pageSource }) {
  const isNew = await cdp.attach();
  // What is emulated ends with the attachment.
  if (isNew) emulation.isOffline = false;
  // Contexts announced to a worker that has died are announced again after a disable.
  if (!isNew) await cdp.send("Runtime.disable");
  // So are workers and frames after they were let go.
  if (!isNew)
    await cdp.send("Target.setAutoAttach", { autoAttach: false, flatten: true, waitForDebuggerOnStart: false });
  if (!isNew) await log.flood.release();
  if (!isNew) await cdp.send("Page.setInterceptFileChooserDialog", { enabled: false });
  if (!isNew) await cdp.send("Page.stopScreencast");
  // Listening first: a navigation between the look and the listening would be missed.
  await cdp.send("Page.enable");
  const { frameTree } = await cdp.send("Page.getFrameTree");
  navigation.adopt(frameTree.frame);
  await Promise.all([
    // Tells the milestones the document has already reached, too.
    cdp.send("Page.setLifecycleEventsEnabled", { enabled: true }),
    cdp.send("Page.addScriptToEvaluateOnNewDocument", { ...pageSource, runImmediately: true }),
    cdp.send("Runtime.enable"),
    cdp.send("Log.enable"),
    cdp.send("Network.enable", { maxTotalBufferSize: 20_000_000, maxResourceBufferSize: 5_000_000 }),
    cdp.send("Inspector.enable"),
    cdp.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
    isNew && emulation.viewport && cdp.send("Emulation.setDeviceMetricsOverride", emulation.viewport),
    cdp.send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: emulation.isOffline }),
    // After Runtime.enable: the world of a document that was there before is given no other.
    ...[PROGRAM_BINDING, PRESS_BINDING].map((name) =>
      cdp.send("Runtime.addBinding", { name, executionContextName: pageSource.worldName }),
    ),
  ]);
  return isNew;
}
