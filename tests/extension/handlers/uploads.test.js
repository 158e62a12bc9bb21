import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { connectedTab } from "../tab.js";
import { test } from "../testing.js";

const FILE = { name: "a.txt", size: 1, path: "/a.txt", token: "t" };
const GIVEN = [{ name: "a.txt", size: 1 }];

let tab;
let started;
beforeEach(async () => {
  tab = await connectedTab();
  started = { way: "field", element: "<input>", folder: false };
  const { page, replies } = tab.chrome;
  Object.assign(page, {
    startUpload: () => started,
    probed: () => ({ unreadable: null, files: 1 }),
    taken: () => GIVEN,
    setMade: () => [],
    dropPieces: () => null,
    watchDrop: () => null,
    dropSeen: () => ({ accepts: true, dropped: "<div>" }),
    state: () => ({ url: "https://shop.example/" }),
    lastInput: () => null,
  });
  const call = replies["Runtime.callFunctionOn"];
  replies["Runtime.callFunctionOn"] = async (params, about) => {
    if (/takingField|probeField/.test(params.functionDeclaration)) return { result: { objectId: "o1" } };
    if (/takeField/.test(params.functionDeclaration)) return { result: { value: tab.taking } };
    return call(params, about);
  };
  replies["DOM.describeNode"] = () => ({ node: { attributes: [] } });
  replies["DOM.resolveNode"] = () => ({ object: { objectId: "o2" } });
  // As Chrome announces a world: with its number, too.
  tab.chrome.cdp(7, "Runtime.executionContextCreated", {
    context: { id: 4, name: "kapture", uniqueId: "W1", auxData: { frameId: "F1" } },
  });
  tab.taking = { field: { element: "<input>", folder: false } };
});

const upload = (params = {}) => tab.run("upload_file", { files: [FILE], ...params });
const put = () => tab.sent("DOM.setFileInputFiles").map(({ files }) => files);
const mouse = () => tab.sent("Input.dispatchMouseEvent").map(({ type }) => type);
const drags = () => tab.sent("Input.dispatchDragEvent").map(({ type }) => type);
const opens = (field = {}) =>
  tab.chrome.cdp(7, "Page.fileChooserOpened", { frameId: "F1", mode: "selectSingle", backendNodeId: 9, ...field });

test("a field gets its files by their paths, once the browser has shown that it can read them", async () => {
  const { result } = await upload({ selector: "input" });
  assert.deepEqual(result, { files: GIVEN, into: "<input>", way: "path" });
  assert.deepEqual(put(), [["/a.txt"], ["/a.txt"]]);
});

test("no files clear a field", async () => {
  assert.deepEqual((await tab.run("upload_file", { files: [], selector: "input" })).result, {
    files: [],
    into: "<input>",
    way: "pieces",
  });
  assert.deepEqual(put(), []);
});

test("a browser that gives a field no files any more is told so", async () => {
  let times = 0;
  tab.chrome.replies["DOM.setFileInputFiles"] = () => {
    times += 1;
    if (times === 2) throw new Error("Not allowed");
  };
  assert.match((await upload({ selector: "input" })).error.message, /could not give the files to <input>/);
});

test("what opens a chooser is pressed, and its chooser gets the files", async () => {
  started = { way: "press" };
  tab.chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => void (type === "mouseReleased" && opens());
  const { result, effects } = await upload({ selector: "button" });
  assert.deepEqual(result, { files: GIVEN, into: "<input>", way: "path", clicked: "<button>" });
  assert.deepEqual(mouse(), ["mouseMoved", "mousePressed", "mouseReleased"]);
  assert.equal(effects.changed, undefined);
});

test("what takes files from a person only is told to", async () => {
  started = { way: "press" };
  tab.chrome.replies["Input.dispatchMouseEvent"] = ({ type }) =>
    void (type === "mouseReleased" && opens({ backendNodeId: undefined }));
  assert.match((await upload({ selector: "button" })).error.message, /^<button> was clicked .*showOpenFilePicker/);
});

test("without a target the files are for the chooser that waits", async () => {
  assert.match((await upload()).error.message, /no file chooser waits in this tab/);
  await opens();
  assert.deepEqual((await upload()).result, { files: GIVEN, into: "<input>", way: "path" });
  assert.match((await upload()).error.message, /no file chooser waits/);
});

test("a chooser that does not take these files says why", async () => {
  await opens();
  tab.taking = { code: "INVALID_PARAMS", message: "<input> takes one file, not 2" };
  assert.equal((await upload()).error.message, "<input> takes one file, not 2");
});

test("a zone gets a real drop", async () => {
  started = { way: "drop" };
  assert.deepEqual((await upload({ selector: "div" })).result, { files: GIVEN, droppedOn: "<div>", way: "path" });
  assert.deepEqual(drags(), ["dragEnter", "dragOver", "dragOver", "drop"]);
  const { data } = tab.sent("Input.dispatchDragEvent").at(-1);
  assert.deepEqual(data.files, ["/a.txt"]);
});

test("over what takes no drop nothing is let go; it is pressed instead", async () => {
  started = { way: "drop" };
  tab.chrome.page.dropSeen = () => ({ accepts: false, dropped: null });
  tab.chrome.replies["Input.dispatchMouseEvent"] = ({ type }) => void (type === "mouseReleased" && opens());
  assert.equal((await upload({ selector: "div" })).result.clicked, "<button>");
  assert.deepEqual(drags(), ["dragEnter", "dragOver", "dragOver", "dragCancel"]);
});

test("a drop that the page let pass is an error", async () => {
  started = { way: "drop" };
  tab.chrome.page.dropSeen = () => ({ accepts: true, dropped: null });
  assert.match((await upload({ selector: "div" })).error.message, /no drop came of it/);
});

test("nothing cannot be dropped", async () => {
  started = { way: "drop" };
  const { error } = await tab.run("upload_file", { files: [], selector: "div" });
  assert.match(error.message, /paths is empty, and the target is not a file field/);
});
