import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { TabGroups } from "../../../extension/browser/tab_group.js";
import { test } from "../testing.js";

let chrome, joined, groups;
beforeEach(() => {
  joined = [];
  let serial = 0;
  const windows = new Map([
    [1, 10],
    [2, 10],
    [3, 20],
  ]);
  const known = new Map();
  chrome = {
    named: [],
    tabs: {
      get: async (id) => ({ windowId: windows.get(id) }),
      async group({ tabIds: [id], groupId, createProperties }) {
        const group = groupId ?? (serial += 1);
        if (createProperties) known.set(group, { windowId: createProperties.windowId });
        joined.push({ id, group, name: "codex" });
        return group;
      },
      ungroup: async () => Promise.reject(new Error("No tab")),
    },
    tabGroups: {
      async get(group) {
        if (!known.has(group)) throw new Error("No group");
        return known.get(group);
      },
      update: async (group, { title }) => void chrome.named.push([group, title]),
    },
  };
  groups = new TabGroups({ chrome, groups: async () => joined });
});

test("the tabs an agent opens in a window are in one group with its name, opened at once too", async () => {
  assert.deepEqual(
    await Promise.all([groups.join(1, "codex"), groups.join(2, "codex"), groups.join(3, "codex")]),
    [1, 1, 2],
  );
  assert.deepEqual(chrome.named, [
    [1, "codex"],
    [2, "codex"],
  ]);
});

test("another agent has another group, and a name is one line", async () => {
  await groups.join(1, "codex");
  assert.equal(await groups.join(2, "clau\u202ede\ncode"), 2);
  assert.deepEqual(chrome.named.at(-1)[0], 2);
  assert.doesNotMatch(chrome.named.at(-1)[1], /[\n\u202e]/);
});

test("a browser that will not have it is no reason to fail", async () => {
  chrome.tabs.group = () => Promise.reject(new Error("Grouping is not supported by tabs in this window."));
  assert.equal(await groups.join(1, "codex"), null);
  await groups.leave(1);
});
