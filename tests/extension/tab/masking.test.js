import assert from "node:assert/strict";
import { maskBody, maskHeaders, maskUrl } from "../../../extension/tab/masking.js";
import { test } from "../testing.js";

for (const [url, wanted] of [
  ["https://shop.example/a?page=2&q=red#part", "https://shop.example/a?page=2&q=red#part"],
  ["https://ada:pw@shop.example/?token=abc", "https://***@shop.example/?token=***"],
  ["https://shop.example/?next=data:,x", "https://shop.example/?next=data:,x"],
  ["data:text/plain;base64,QUJD", "data:text/plain;base64,… (27 characters)"],
])
  test(`of ${url} an agent reads ${wanted}`, () => assert.equal(maskUrl(url), wanted));

test("a long address is bounded", () => {
  assert.ok(maskUrl(`https://a.example/${"x".repeat(100_000)}`).length < 2100);
  for (const comma of ["", ","]) assert.ok(maskUrl(`data:${"x".repeat(100_000)}${comma}`).length < 200);
});

for (const [name, value, wanted] of [
  ["Authorization", "Bearer abc.def", "Bearer ***"],
  ["authorization", "abc", "***"],
  ["Authorization", "abc def", "***"],
  ["Proxy-Authorization", "Basic YQ==", "Basic ***"],
  ["Cookie", "sid=a=b; theme=dark; bare", "sid=***; theme=***; ***"],
  ["Cookie", "=abc", "=***"],
  ["Set-Cookie", "sid=a; Path=/; HttpOnly\nb=c; Secure", "sid=***; Path=/; HttpOnly\nb=***; Secure"],
  ["X-Api-Key", "abc", "***"],
  ["X-Auth", "abc", "***"],
  ["X-CSRF-Token", "abc", "***"],
  ["X-Amz-Security-Token", "abc", "***"],
  ["Location", "/next?code=abc&n=1", "/next?code=***&n=1"],
  ["Referer", "https://u:p@a.example/?token=abc", "https://***@a.example/?token=***"],
  ["Content-Type", "text/html; charset=utf-8", "text/html; charset=utf-8"],
  [":authority", "shop.example", "shop.example"],
  ["Date", 5, "5"],
])
  test(`the header ${name}: ${value} reads ${wanted}`, () =>
    assert.deepEqual(maskHeaders({ [name]: value }), { [name]: wanted }));

test("headers are bounded, each and together", () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x-${index}`, "v".repeat(10_000)]));
  const text = JSON.stringify(maskHeaders(many));
  assert.ok(text.length < 20_000);
  assert.ok(text.includes("more headers left out"));
  assert.equal(maskHeaders({ "x-long": "v".repeat(10_000) })["x-long"].length, 4000);
});

for (const [what, body, mimeType, wanted] of [
  [
    "a form",
    "user=Ada&password=pw&card=41&x=1",
    "application/x-www-form-urlencoded",
    "user=Ada&password=***&card=***&x=1",
  ],
  ["a form that begins with a secret", "token=pw", "application/x-www-form-urlencoded;charset=UTF-8", "token=***"],
  [
    "JSON",
    '{"user":"Ada","password" : "p\\"w","deep":{"access_token":"t"},"otp":123456}',
    "application/json",
    '{"user":"Ada","password" : "***","deep":{"access_token":"***"},"otp":"***"}',
  ],
  [
    "JSON with common words",
    '{"code":404,"key":"a","author":"Ada"}',
    "application/json",
    '{"code":404,"key":"a","author":"Ada"}',
  ],
  ["JSON with a pass phrase", '{"passphrase":"pw"}', "application/json", '{"passphrase":"***"}'],
  ["JSON without its type", '{"password":"pw"}', "text/plain", '{"password":"***"}'],
  ["a page", '<a href="/x?token=abc">x</a>', "text/html", '<a href="/x?token=***">x</a>'],
  ["a program", "a ?token=b:c", "text/javascript", "a ?token=b:c"],
  [
    "a form in parts",
    '--B\r\nContent-Disposition: form-data; name="user"\r\n\r\nAda\r\n--B\r\nContent-Disposition: form-data; name="new-password"\r\n\r\np\r\nw\r\n--B\r\nContent-Disposition: form-data; name="code"\r\n\r\n123\r\n--B--\r\n',
    "multipart/form-data; boundary=B",
    '--B\r\nContent-Disposition: form-data; name="user"\r\n\r\nAda\r\n--B\r\nContent-Disposition: form-data; name="new-password"\r\n\r\n***\r\n--B\r\nContent-Disposition: form-data; name="code"\r\n\r\n***\r\n--B--\r\n',
  ],
])
  test(`${what} keeps its shape and loses its secrets`, () => assert.equal(maskBody(body, mimeType), wanted));

// Were the time to grow with the square of the length, it would take hours.
test("a hostile text costs no more than its length", () => {
  for (const piece of ['"password":"', "?token=", "a://", 'name="password"\r\n', '"\\', "&a"])
    for (const mimeType of [
      "application/json",
      "text/html",
      "multipart/form-data",
      "application/x-www-form-urlencoded",
    ])
      maskBody(piece.repeat(20_000), mimeType);
  maskUrl(`https://${"a".repeat(200_000)}`);
});
