// Text as answers tell it: in one line and not too long.

export const squeeze = (text) => text.replace(/[\s\u00a0]+/g, " ").trim();

export const MAX_NAME = 200;

export const clipped = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
