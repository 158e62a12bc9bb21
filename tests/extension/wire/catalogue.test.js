import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "../testing.js";
import { load } from "../../../extension/wire/catalogue.js";
import { extensionFile } from "../fakes.js";

test("the catalogue is read by name, with the hash of its text", async () => {
  const text = extensionFile("commands.json");
  const { commands, hash } = await load(`data:application/json;base64,${Buffer.from(text).toString("base64")}`);
  assert.equal(commands.get("kapturemcp_click").class, "interact");
  assert.equal(commands.size, JSON.parse(text).commands.length);
  assert.equal(hash, createHash("sha256").update(text).digest("hex").slice(0, 16));
});
