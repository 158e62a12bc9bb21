import * as consoleHandlers from "./console.js";
import * as interaction from "./interaction.js";
import * as looking from "./looking.js";
import * as navigation from "./navigation.js";
import * as script from "./script.js";
import * as tabs from "./tabs.js";

/** Every command carried out in a tab: name → `async (params, run) => result`. */
export const TAB_HANDLERS = {
  ...consoleHandlers.handlers,
  ...interaction.handlers,
  ...looking.handlers,
  ...navigation.handlers,
  ...script.handlers,
  ...tabs.tabHandlers,
};

/** Every command carried out by the browser itself: name → `async (params, connections) => result`. */
export const BROWSER_HANDLERS = tabs.browserHandlers;
