import * as consoleHandlers from "./console.js";
import * as dialogs from "./dialogs.js";
import * as dom from "./dom.js";
import * as drag from "./drag.js";
import * as forms from "./forms.js";
import * as interaction from "./interaction.js";
import * as keyboard from "./keyboard.js";
import * as looking from "./looking.js";
import * as navigation from "./navigation.js";
import * as network from "./network.js";
import * as script from "./script.js";
import * as scrolling from "./scrolling.js";
import * as tabs from "./tabs.js";
import * as uploads from "./uploads.js";
import * as viewport from "./viewport.js";

/** Every command carried out in a tab: name → `async (params, run) => result`. */
export const TAB_HANDLERS = {
  ...consoleHandlers.handlers,
  ...dialogs.handlers,
  ...dom.handlers,
  ...drag.handlers,
  ...forms.handlers,
  ...interaction.handlers,
  ...keyboard.handlers,
  ...looking.handlers,
  ...navigation.handlers,
  ...network.handlers,
  ...script.handlers,
  ...scrolling.handlers,
  ...tabs.tabHandlers,
  ...uploads.handlers,
  ...viewport.handlers,
};

/** Every command carried out by the browser itself: name → `async (params, connections, {timeout, dialogs, grant}) => {result, …}`, what the response says. */
export const BROWSER_HANDLERS = tabs.browserHandlers;
