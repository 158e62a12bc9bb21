// Generated from the panel's own; `python -m kapture_panel.programs.agreed > extension/basics/agreed.js` makes it.

/** Words that tell a secret wherever they stand in a name. */
export const WITHIN = [
  "token",
  "code",
  "key",
  "sig",
  "pass",
  "pwd",
  "secret",
  "auth",
  "session",
  "sessid",
  "jwt",
  "otp",
  "cvc",
  "cvv",
  "card",
  "credential",
  "assertion",
];
/** Words that do so as a whole word alone: "sid" is part of "side". */
export const WHOLE = ["sid", "ticket", "pin", "hash", "access", "nonce"];
/** Schemes whose "@" follows no user info. */
export const NO_USER_INFO = [
  "mailto",
  "sip",
  "sips",
  "xmpp",
  "acct",
  "im",
  "data",
  "javascript",
  "about",
  "tel",
  "sms",
  "urn",
  "cid",
  "mid",
  "npm",
  "jsr",
];
/** The version of the wire. */
export const PROTOCOL = 13;
/** The largest frame the panel takes. */
export const MAX_FRAME_BYTES = 33554432;
/** What is encoded more often is taken for a secret. */
export const MAX_ENCODINGS = 8;
/** A link is asked this often whether it is there. */
export const PING_INTERVAL_MS = 20000;
/** As long is a question about pairing open. */
export const PAIRING_EXPIRY_MS = 120000;
/** So many console lines of a tab are kept. */
export const MAX_CONSOLE_LINES = 10000;
/** So many requests of a tab are kept. */
export const MAX_REQUESTS = 1000;
