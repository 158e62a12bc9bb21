// Made from app/kapture_panel/core/wire/protocol.py:
// `python -m kapture_panel.programs.wire_types > extension/wire/protocol.d.ts` makes it.

/** First frame of the extension: who it claims to be. Nothing else crosses before the proofs. */
export interface Hello {
  type: "hello";
  protocol: number;
  role: "browser" | "tab";
  install: string;
  nonce: string;
  tabId?: string;
}

/** First frame of a pair page, in place of a hello: `commitment` is the SHA-256 of the nonce it reveals later. */
export interface Pair {
  type: "pair";
  protocol: number;
  install: string;
  commitment: string;
}

/** The pair page's half; from here on both sides can show the code. */
export interface Reveal {
  type: "reveal";
  nonce: string;
}

/** The person said on the pair page that both codes are the same. */
export interface Confirm {
  type: "confirm";
}

/** The extension's proof. */
export interface Proof {
  type: "proof";
  proof: string;
}

/**
 * What a connected tab or browser is, once trusted. `memory` names what a tab remembers of its commands: with
 * another one it has begun to do so again.
 */
export interface Register {
  type: "register";
  url?: string;
  title?: string;
  favicon?: string;
  browser?: string;
  version?: string;
  catalogue?: string;
  memory?: string;
  tabId?: string;
}

/** The person took this browser off in its own pair page. */
export interface Unpair {
  type: "unpair";
}

/** A dialog that blocks the page: alert, confirm, prompt or beforeunload. */
export interface OpenDialog {
  type: string;
  message: string;
}

/** Where an element is in the page, in CSS pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Why a command failed: `code`, `message` (what went wrong), `nextStep`, and what goes with some codes alone.
 *
 * `line` and `column` are where a script threw what `message` says, `filled` is how many fields of a form were
 * filled before it, `tabId` the tab that is open all the same. Of what needs approval `site`, `origin`, `url` and
 * `title` are of the document, `fieldKind` says which kind of secret the field holds, and `box` where it is.
 */
export interface Failure {
  code: string;
  message?: string;
  nextStep?: string;
  param?: string;
  netError?: string;
  line?: number | null;
  column?: number | null;
  filled?: number | null;
  tabId?: string;
  dialog?: OpenDialog | null;
  site?: string;
  origin?: string;
  url?: string;
  title?: string;
  fieldKind?: string;
  box?: Box | null;
}

/** The target's own state was read back: its value, whether it is checked, the address that was reached. */
export interface Confirmed {
  outcome: "confirmed";
}

/** It reached its target, and an effect was seen. */
export interface Done {
  outcome: "done";
}

/** It reached its target, and no effect was seen within the wait. */
export interface NoEffect {
  outcome: "no_effect";
}

/** Nobody could tell; `reason` says why. */
export interface Unverifiable {
  outcome: "unverifiable";
  reason?: string;
}

/**
 * A tab that was opened; without a `tabId` no extension may enter it. Of one in a person's own browser that is not
 * shared there are its `browserTabId`, its `host` and in `next` how to ask for it. One that has `closed` again by
 * itself has shown nothing, as one does that becomes a download.
 */
export interface NewTab {
  tabId?: string;
  url?: string | null;
  closed?: boolean;
  browserTabId?: number | null;
  host?: string;
  next?: string;
}

/**
 * A JavaScript dialog that was answered, or is `open` still: then `next` says how to answer it, and `default` is
 * the text a prompt offers.
 */
export interface SeenDialog {
  type: string;
  message: string;
  default?: string;
  accepted?: boolean | null;
  open?: boolean | null;
  next?: string;
}

/**
 * A file the browser fetches. The extension knows `guid`, `fileName` and `url`; of a managed browser the panel
 * adds the rest: `state` (inProgress, completed, canceled), `bytes` so far, and `path` once the file is whole, or the
 * `folder` it goes to; `note` says why a whole one has no path.
 */
export interface Download {
  guid?: string;
  fileName?: string | null;
  url?: string | null;
  state?: string;
  bytes?: number | null;
  path?: string;
  folder?: string;
  note?: string;
}

/**
 * A file chooser that the page opened and that waits for files; one that is `refused` takes them from a person
 * only, and the page was told that it was closed.
 */
export interface FileChooser {
  multiple?: boolean;
  folder?: boolean;
  accept?: string;
  refused?: boolean;
}

/** An address of another program the page led to; one that was not `kept` from it may have started it. */
export interface ProgramAddress {
  url: string;
  kept: boolean;
}

/**
 * What is different about an action's target, each as [before, after]; of a secret field's value only its
 * `length` is told. `expanded` is None where nothing opens.
 */
export interface TargetChanges {
  focused?: [boolean, boolean] | null;
  value?: [string, string] | null;
  length?: [number, number] | null;
  checked?: [boolean | "mixed", boolean | "mixed"] | null;
  selected?: [boolean, boolean] | null;
  expanded?: [boolean | null, boolean | null] | null;
  pressed?: [boolean | "mixed", boolean | "mixed"] | null;
}

/** A field whose value keeps its form from being sent: its name and tag, and what the browser says of it. */
export interface InvalidField {
  field: string;
  message?: string;
}

/**
 * What the person did in a tab meanwhile: where it is now, if that is new, the commands they gave, the newest
 * last, and the tabIds of tabs that were closed. Without any of it `changed` is False.
 */
export interface ByPerson {
  url?: string | null;
  title?: string | null;
  did?: string[];
  closed?: string[];
  changed?: boolean | null;
}

/**
 * What became of a command that was answered `OUTCOME_UNKNOWN`: the `command` and what it was done to, its
 * `outcome` (that of an action, `ok`, or the code of its error), and what came of it in words.
 */
export interface Settled {
  command: string;
  outcome: string;
  said?: string;
}

/**
 * What was seen after an action, or of late since the answer before; what was not seen is left out.
 *
 * `url` and `title` are where the tab is, when that is new; `requests` counts; `pending` is what the
 * page still waits for, "POST https://…" each; `invalid` are the fields that kept a form from being sent; `changed` is
 * "unknown" where nobody looks, as at what a canvas shows; `person` and `settled` are the panel's to tell.
 */
export interface Effects {
  url?: string | null;
  title?: string | null;
  newTabs?: NewTab[];
  dialogs?: SeenDialog[];
  downloads?: Download[];
  fileChooser?: FileChooser | null;
  consoleErrors?: string[];
  programs?: ProgramAddress[];
  requests?: number;
  pending?: string[];
  loadFailed?: boolean;
  reloaded?: boolean;
  changed?: boolean | "unknown" | null;
  target?: TargetChanges | null;
  invalid?: InvalidField[];
  person?: ByPerson | null;
  settled?: Settled[];
}

/**
 * An element, as `extension/page/target_record.js` describes it.
 *
 * `selector` finds it in the whole page, None when nothing does; `through` says of each >>> in it whether it enters a
 * frame or a shadow root; `alone`: nothing else of the document has this role and name; `focus`: no element was named,
 * and what has the focus is meant.
 */
export interface Target {
  selector?: string | null;
  through?: string[];
  role?: string;
  name?: string;
  alone?: boolean;
  type?: string;
  secret?: boolean;
  focus?: boolean;
}

/** One that a client's rule answered; `more` were answered in the same way and are not told one by one. */
export interface AnsweredDialog {
  type: string;
  message: string;
  accepted: boolean;
  more?: number;
}

/**
 * What command `id` led to; an action that went well has its `outcome`. `ms` is the time it took in the extension.
 *
 * `targets` says which elements were meant, for the history alone, and `dialogs` which the frame's rule answered.
 */
export interface Response {
  type: "response";
  id: string;
  success: boolean;
  result?: any;
  error?: Failure | null;
  outcome?: Confirmed | Done | NoEffect | Unverifiable | null;
  effects?: Effects | null;
  lateEffects?: Effects | null;
  snapshot?: string | null;
  targets?: Target[];
  dialogs?: AnsweredDialog[];
  ms?: number;
}

/** Where the tab is; what is None has not changed. `navigated`: another document is in it. */
export interface TabChanged {
  kind: "tab";
  url?: string | null;
  title?: string | null;
  favicon?: string | null;
  navigated?: boolean;
}

/**
 * A line of the console; `at` in ms since 1970, `source` is `file:line`, `context` page, worker or
 * serviceWorker.
 */
export interface ConsoleSaid {
  kind: "console";
  at?: number;
  level?: string;
  text?: string;
  source?: string;
  context?: string;
}

/** The lines before it are forgotten. */
export interface ConsoleCleared {
  kind: "cleared";
}

/** A request that began or went on; its address is masked already. `at` in ms since 1970. */
export interface RequestSeen {
  kind: "request";
  id?: string;
  at?: number;
  method?: string;
  type?: string;
  url?: string;
  status?: number | null;
  failure?: string | null;
  finished?: boolean;
  source?: string;
  ms?: number | null;
  bytes?: number;
  context?: string;
}

/** A dialog blocks the page, or does no more; which one and what it says is told while it does. */
export interface DialogShown {
  kind: "dialog";
  open?: boolean;
  type?: string;
  message?: string;
}

/** The element that command `id` is about: its box in CSS pixels of the viewport, told while somebody watches. */
export interface TargetMeant {
  kind: "target";
  id?: string;
  role?: string;
  name?: string;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
}

/** Where an agent's mouse is in the viewport, in CSS pixels, told while somebody watches. */
export interface PointerAt {
  kind: "pointer";
  x?: number;
  y?: number;
  pressed?: boolean;
}

/** What the person who has stepped in does in the page, and to which element; never what was typed. */
export interface PersonDid {
  kind: "did";
  act: "dragged" | "pasted" | "pressed" | "pressed Enter" | "pressed Escape" | "scrolled" | "typed";
  role?: string;
  name?: string;
}

/**
 * The tab is gone; from a browser, the one called `tabId` that it had let go of. `byPerson`: a person shares it no
 * more; it is open still.
 */
export interface Closed {
  kind: "closed";
  tabId?: string;
  byPerson?: boolean;
}

/** The browser lets go of the tab as long as the agents are paused. */
export interface Held {
  kind: "held";
}

/** Of the tabs the browser had let go of all that come back are back. */
export interface Back {
  kind: "back";
}

/** The page's process is gone. */
export interface Crashed {
  kind: "crash";
}

/** A batch of things that happened in a tab, at most 50 ms old. */
export interface Event {
  type: "event";
  events: (TabChanged | ConsoleSaid | ConsoleCleared | RequestSeen | DialogShown | TargetMeant | PointerAt | PersonDid | Closed | Held | Back | Crashed)[];
}

/**
 * The person gave a command in the extension's DevTools panel, for the tab it inspects. It comes over the browser's
 * link alone, and is answered by a `DevToolsResult`.
 */
export interface DevToolsCommand {
  type: "run";
  id: string;
  tabId: string;
  command: string;
  params: Record<string, any>;
}

/** The person pauses the agents in the extension's popup, or lets them go on. Over the browser's link alone. */
export interface PauseAgents {
  type: "pause";
  on: boolean;
}

/** The caller gave up on command or pick `id`; from the extension, the person on run `id`. */
export interface Cancel {
  type: "cancel";
  id: string;
}

/**
 * The extension wants up to `size` bytes, from byte `start` on, of the file a running upload offers as `token`;
 * answered by a `FilePiece`.
 */
export interface ReadFile {
  type: "read";
  id: string;
  token: string;
  start: number;
  size: number;
}

/** The page as it is: a JPEG in base64 of a viewport of `width` x `height` CSS pixels. It is kept nowhere. */
export interface LivePicture {
  type: "live";
  number: number;
  data: string;
  width: number;
  height: number;
}

/** Keep-alive, answered by a pong. */
export interface Ping {
  type: "ping";
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
}

/** The panel's half of what the code is made of. */
export interface PairingNonce {
  type: "pairing";
  nonce: string;
}

/** The person said it on both sides: the key that every link proves from now on. */
export interface Paired {
  type: "paired";
  key: string;
}

/** The person took this browser off in the panel: the key is worth nothing any more. */
export interface Unpaired {
  type: "unpaired";
}

/** The panel proves first that it holds the key. */
export interface Challenge {
  type: "challenge";
  nonce: string;
  proof: string;
}

/** Both sides have proved themselves. */
export interface Accepted {
  type: "accepted";
}

/** Why the panel closes; the code tells the extension what its person can do. */
export interface Refused {
  type: "refused";
  code: string;
  message: string;
}

/**
 * The tab, or the browser, is in the registry; the rest as `Settings` has it.
 *
 * `open` are the ids of commands whose answers the panel lost: the tab says by a `Response` to each what became of
 * it, without what it returned; of one that still runs when it is over.
 */
export interface Registered {
  type: "registered";
  tabId?: string;
  open?: string[];
  naturalMouse?: "auto" | "off" | "on";
  showCursor?: "auto" | "off" | "on";
  showFrame?: "auto" | "off" | "on";
  driver?: string;
  paused?: boolean;
}

/**
 * The person changed how an agent's work is to be seen; the extension knows what "auto" means for its browser.
 *
 * To a tab it also says who drives it: `driver` is the name of the client that acted in it last. To a browser it says
 * whether the agents are `paused`: a person's own then lets go of its tabs, and takes them back afterwards.
 */
export interface Settings {
  type: "settings";
  naturalMouse?: "auto" | "off" | "on";
  showCursor?: "auto" | "off" | "on";
  showFrame?: "auto" | "off" | "on";
  driver?: string;
  paused?: boolean;
}

/**
 * What a command may touch: documents of these `origins` ("*": of any), and in which of them `secret` fields.
 *
 * The extension does nothing beyond it and answers `NEEDS_APPROVAL` {origin, site, url, title, fieldKind?, box?}
 * instead. What only reads needs none.
 */
export interface Grant {
  origins?: string[] | "*";
  secret?: string[] | "*";
}

/**
 * Run `command`; `timeout` in ms is enforced by the extension's queue.
 *
 * `dialogs` answers what the page shows meanwhile or before, for a client without a command for that. A look of the
 * panel's own is `quiet`: what has come since the last answer is left to the next one.
 */
export interface CommandFrame {
  type: "command";
  id: string;
  command: string;
  params: Record<string, any>;
  timeout: number;
  dialogs?: "" | "accept" | "dismiss";
  grant?: Grant;
  quiet?: boolean;
}

/**
 * Let the person choose an element in the tab, for the window alone: no command leads here. Answered by a
 * `Response` with `Picked`, taken back by a `Cancel`.
 */
export interface Pick {
  type: "pick";
  id: string;
}

/** Try the tab's debugger and page for the doctor, in no queue; answered by a `Response` with `Checked`. */
export interface Check {
  type: "check";
  id: string;
}

/** Who held the tab does so no more: the keys it holds down there go up. */
export interface LetGo {
  type: "letGo";
}

/** The person wants to see the tab: its window comes in front, with it. */
export interface Show {
  type: "show";
}

/** The person wants the tab shared no more, as with Disconnect in the extension's popup. */
export interface Disconnect {
  type: "disconnect";
}

/**
 * The person looks at the tab's page: its pictures fit into `width` x `height` pixels, and one comes at most every
 * `everyMs`. Another one replaces it, `Unwatch` ends it.
 */
export interface Watch {
  type: "watch";
  width: number;
  height: number;
  everyMs: number;
}

/** The person looks elsewhere: no picture crosses any more. */
export interface Unwatch {
  type: "unwatch";
}

/** The person sees picture `number`; another one is sent then, so that slow windows are not flooded. */
export interface Painted {
  type: "painted";
  number: number;
}

/**
 * The person has mouse and keyboard of the tab, until `StepOut` or the link's end; `MouseInput` and the other
 * three count meanwhile only.
 */
export interface StepIn {
  type: "stepIn";
}

/** The person gives the tab back; answered by a `Response` once the tab has told all that they did. */
export interface StepOut {
  type: "stepOut";
  id: string;
}

/**
 * The person points at a place of the viewport, in CSS pixels; answered by a `Response` with
 * `PlacePointedAt`. It waits in no queue.
 */
export interface PointAt {
  type: "pointAt";
  id: string;
  x: number;
  y: number;
}

/**
 * The person's mouse at a point of the viewport in CSS pixels. `button` is the one that this is about, `buttons`
 * and `modifiers` are masks as CDP has them; `count` is 2 for the second press of a double click, and the deltas of a
 * wheel are in CSS pixels.
 */
export interface MouseInput {
  type: "mouse";
  act: "down" | "move" | "up" | "wheel";
  x: number;
  y: number;
  button?: "back" | "forward" | "left" | "middle" | "none" | "right";
  buttons?: number;
  count?: number;
  modifiers?: number;
  deltaX?: number;
  deltaY?: number;
}

/** A key of the person's goes down or up: a name of the UI Events specification, or the character it makes. */
export interface KeyInput {
  type: "key";
  key: string;
  down?: boolean;
  modifiers?: number;
  repeat?: boolean;
}

/** Text from the person's input method, or from their clipboard. */
export interface TextInput {
  type: "text";
  text: string;
  pasted?: boolean;
}

/** What the person's input method shows before it commits; empty takes it back. */
export interface Composition {
  type: "compose";
  text: string;
  start: number;
  end: number;
}

/** The outcome of run `id`, `ms` being the whole time in the panel; `picture` is a screenshot in base64. */
export interface DevToolsResult {
  type: "ran";
  id: string;
  success: boolean;
  result?: any;
  error?: Record<string, any> | null;
  outcome?: Confirmed | Done | NoEffect | Unverifiable | null;
  effects?: Effects | null;
  lateEffects?: Effects | null;
  snapshot?: string | null;
  picture?: string;
  ms?: number;
}

/** What `ReadFile` `id` asked for, in base64, or in `error` why not. */
export interface FilePiece {
  type: "piece";
  id: string;
  data?: string;
  error?: Failure | null;
}

/** The element a person clicked. */
export interface PickedElement {
  role: string;
  name: string;
  tag: string;
}

/** A name of that element; `first`: a command would take this element and none of the others it matches. */
export interface Candidate {
  way: "selector" | "xpath";
  value: string;
  kind: string;
  matches: number;
  first: boolean;
}

/**
 * What a person chose in a tab, the best candidate first, or how the choosing `ended` without: by Escape there, or
 * because the page went elsewhere. Not `reachable`: the frame around the element has not been told of.
 */
export interface Picked {
  element?: PickedElement | null;
  reachable?: boolean;
  candidates?: Candidate[];
  ended?: "" | "escape" | "left";
}

/**
 * How long the debugger and the page of a tab took to answer, in ms, or why they did not; of what was not tried
 * neither. `slowed`: the extension slows the page, or a frame of it, because it floods its console.
 */
export interface Checked {
  debuggerMs?: number | null;
  debuggerError?: string;
  pageMs?: number | null;
  pageError?: string;
  slowed?: boolean;
}

export type FromExtension =
  | Hello
  | Pair
  | Reveal
  | Confirm
  | Proof
  | Register
  | Unpair
  | Response
  | Event
  | DevToolsCommand
  | PauseAgents
  | Cancel
  | ReadFile
  | LivePicture
  | Ping
  | Pong;

export type FromPanel =
  | PairingNonce
  | Paired
  | Unpaired
  | Challenge
  | Accepted
  | Refused
  | Registered
  | Settings
  | CommandFrame
  | Pick
  | Check
  | Cancel
  | LetGo
  | Show
  | Disconnect
  | Watch
  | Unwatch
  | Painted
  | StepIn
  | StepOut
  | PointAt
  | MouseInput
  | KeyInput
  | TextInput
  | Composition
  | DevToolsResult
  | FilePiece
  | Ping
  | Pong;
