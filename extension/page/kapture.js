// The isolated world's one global: the panel's side calls these by name.

import { boxOf, locate, pointsWithin, scroll, startDrop, viewport } from "./act.js";
import { drawn, nextFrame, twoFrames } from "./animation_frames.js";
import { meantAt, pressedAt, typedAt } from "./by_person.js";
import { candidates } from "./candidates.js";
import { comeToRest, nextChange, stopWatchingChanges, watchChanges } from "./changes.js";
import { select } from "./fields/choice.js";
import { Opaque, handIn, opaque, takeOpaque } from "./closed_roots.js";
import { passThrough, uncovered } from "./door_points.js";
import { Crossing, allDoors, doorElement, doorsBeyond, placeOfDoor } from "./doors.js";
import { endDrop, isOverDrop } from "./drop.js";
import { dropMade, dropSeen, watchDrop } from "./drop_files.js";
import { ask, explore } from "./explore.js";
import { Failure, NotReady } from "./failure.js";
import { openPopup } from "./fields/field_hints.js";
import {
  addPiece,
  dropPieces,
  endFile,
  probeField,
  probed,
  setMade,
  startUpload,
  takeField,
  taken,
  takingField,
} from "./files.js";
import { endFill, heldNow, startFill } from "./fields/fill.js";
import { demandGrant, demandGranted } from "./grant.js";
import { focusArrived, focusBeside, watchFocus } from "./keyboard.js";
import { watchScrolling } from "./motion.js";
import { changedSince, firstSign, goOn, noteOwnMotion, observe, observed, settled, state } from "./observe.js";
import { choiceStep } from "./fields/list_choice.js";
import { lastInput, watchInput } from "./last_input.js";
import { forgetSeveral, several } from "./lookup.js";
import { paste } from "./fields/paste.js";
import { heldReplacement } from "./fields/replacement.js";
import { tellNodes } from "./refs/node_words.js";
import { standAt } from "./place.js";
import { armGuard, endGuard, guardOthers, watchPresses } from "./press_guard.js";
import { noteListening } from "./pressable.js";
import { keepFromPrograms } from "./programs.js";
import { knowsRef } from "./refs/refs.js";
import { serviceWorkers } from "./service_workers.js";
import { snapshot } from "./snapshot/snapshot.js";
import { targetOfCall, whereMeant } from "./target_record.js";
import { armSecretGuard, endSecretGuard, keptFromSecret, watchKeysForSecrets } from "./fields/secret_guard.js";
import { demandCaret, startType, typedInto } from "./fields/typing.js";
import { dropWheel, endWheel, startWheel } from "./wheel.js";
import { rangeAfter, rangeOf, tickSpot, tickedNow } from "./fields/widget.js";
import { lookAgain, stopWaiting, waitFor, watchText } from "./wait.js";

const FUNCTIONS = {
  addPiece,
  dropMade,
  dropPieces,
  dropSeen,
  endFile,
  probed,
  setMade,
  startUpload,
  taken,
  watchDrop,
  allDoors,
  ask,
  boxOf,
  candidates,
  changedSince,
  choiceStep,
  comeToRest,
  demandCaret,
  demandGranted,
  doorsBeyond,
  drawn,
  endDrop,
  endFill,
  dropWheel,
  endGuard,
  endSecretGuard,
  endWheel,
  explore,
  firstSign,
  goOn,
  focusArrived,
  focusBeside,
  frame: nextFrame,
  isOnline: () => navigator.onLine,
  guardOthers,
  heldNow,
  heldReplacement,
  isOverDrop,
  knowsRef,
  locate,
  lookAgain,
  meantAt,
  nextChange,
  observe: (isAction) => {
    endSecretGuard(); // that of a command which was cut while it typed
    observe(isAction);
  },
  observed,
  openPopup,
  passThrough,
  paste,
  placeOfDoor,
  pointsWithin,
  pressedAt,
  rangeAfter,
  rangeOf,
  scroll,
  select,
  serviceWorkers,
  settled,
  lastInput,
  snapshot,
  startDrop,
  startFill,
  startType,
  startWheel,
  state,
  stopWaiting,
  stopWatchingChanges,
  tickSpot,
  tickedNow,
  twoFrames,
  typedAt,
  typedInto,
  uncovered,
  viewport,
  waitFor,
  watchChanges,
  watchText,
  watchFocus: () => void watchFocus(),
};

/** What answers differently once closed shadow roots are handed in, and may be called again. */
const LOOKS = new Set(["ask", "explore", "snapshot"]);

/**
 * Call a function by name.
 * @param {keyof typeof FUNCTIONS} name
 * @param {any[]} args
 * @param {typeof import("./place.js").place} [at] where this document is, unless it is the top one
 * @param {import("./grant.js").Grant} [grant] what the command may touch (grant.js); without one, everything
 * @returns {Promise<{value?: any, error?: object, ways?: object[], target?: object, box?: object, several?: object|null, opaque?: true}>}
 *   `box` is where that is now; `ways` lead into the frames of another origin where the target is; `target` tells the history which element was meant;
 *   `several`: of how many it is the first; `opaque`: there is something to hand in (closed_roots.js) and to call again for
 */
const call = async (name, args, at, grant) => {
  standAt(at);
  if (LOOKS.has(name)) noteOwnMotion();
  forgetSeveral();
  opaque.clear();
  const target = targetOfCall(name, args);
  const where = whereMeant();
  try {
    demandGrant(name, args, grant);
    const value = (await FUNCTIONS[name](...args)) ?? null;
    return { value, target, box: where(), several, opaque: (LOOKS.has(name) && opaque.size > 0) || undefined };
  } catch (error) {
    // Targets are looked for before anything is done.
    if (error instanceof Opaque || (opaque.size && error.code === "ELEMENT_NOT_FOUND")) return { opaque: true };
    if (error instanceof Crossing) return { ways: error.ways };
    if (error instanceof Failure)
      return {
        error: {
          code: error.code,
          message: error.message + amongSeveral(),
          nextStep: error.nextStep,
          details: error.details,
          waits: error instanceof NotReady,
        },
        target,
      };
    throw error;
  }
};

const amongSeveral = () => (several ? ` (the first of ${several.count} that match ${JSON.stringify(several.by)})` : "");

/** `door`: the frame itself, for the browser to say which it is. */
globalThis.kapture = Object.assign(call, {
  door: doorElement,
  takeOpaque,
  handIn,
  armGuard,
  armSecretGuard,
  endSecretGuard,
  keptFromSecret,
  takingField,
  probeField,
  takeField,
  noteListening,
  tellNodes,
  lastInput,
});

keepFromPrograms();
watchPresses();
watchKeysForSecrets();
watchInput();
watchScrolling();
