import assert from "node:assert/strict";
import { inAddress, inText, tellsSecret } from "../../../extension/basics/address_secrets.js";
import { test } from "../testing.js";
import { vectors } from "../vectors.js";

const SECRET = "S3CRET";

function mask(text, places) {
  const ends = [0, ...places.map(([, end]) => end)];
  return [...places.map(([start]) => start), text.length]
    .map((start, index) => text.slice(ends[index], start))
    .join("***");
}

for (const [address, kept] of vectors.masked)
  test(`of ${address} stays ${kept}`, () => {
    assert.equal(mask(address, inAddress(address)), kept);
    const sentence = `see ${address} and go on`;
    assert.ok(!mask(sentence, inText(sentence)).includes(SECRET));
  });

for (const [text, kept] of vectors.texts)
  test(`in a text: ${text}`, () => assert.equal(mask(text, inText(text)), kept));

for (const address of vectors.letter)
  test(`to the letter: ${address}`, () => {
    assert.deepEqual(inAddress(address), []);
    assert.deepEqual(inText(`see ${address} and go on`), []);
  });

for (const text of vectors.letter_texts)
  test(`a text stays to the letter: ${text}`, () => assert.deepEqual(inText(text), []));

test("no number of encodings hides a secret", () => {
  for (let times = 0, inner = `/x?sid=${SECRET}`; times <= 8; times += 1, inner = encodeURIComponent(inner)) {
    const address = `https://a.example/?next=${inner}&x=1`;
    assert.match(mask(address, inAddress(address)), /^https:\/\/a\.example\/\?next=.*sid.*\*\*\*&x=1$/);
  }
});

test("a name that is encoded without end is taken for a secret", () => {
  assert.equal(tellsSecret(`%${"25".repeat(20)}41`), true);
  assert.equal(tellsSecret("%2541%25"), false);
});

/** The square of these lengths would take minutes. */
for (const piece of vectors.hostile)
  test(`a hostile text costs no more than its length: ${piece}`, () => {
    for (const start of ["", "?", "https://"]) {
      const text = start + piece.repeat(Math.floor(100_000 / piece.length));
      inAddress(text);
      inText(text);
    }
  });
