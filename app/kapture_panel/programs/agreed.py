"""Print what both sides agree on: `python -m kapture_panel.programs.agreed > extension/basics/agreed.js`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from kapture_panel.core.catalogue import address_secrets
from kapture_panel.core.registry import pairing
from kapture_panel.core.stores import console, network_log
from kapture_panel.core.wire import protocol
from kapture_panel.programs import terminal

HEAD = """\
// Generated from the panel's own; `python -m kapture_panel.programs.agreed > extension/basics/agreed.js` makes it.

"""
WORDS = {
    "WITHIN": ("Words that tell a secret wherever they stand in a name.", address_secrets.WITHIN),
    "WHOLE": ('Words that do so as a whole word alone: "sid" is part of "side".', address_secrets.WHOLE),
    "NO_USER_INFO": ('Schemes whose "@" follows no user info.', address_secrets.NO_USER_INFO),
}
NUMBERS = {
    "PROTOCOL": ("The version of the wire.", protocol.VERSION),
    "MAX_FRAME_BYTES": ("The largest frame the panel takes.", protocol.MAX_FRAME_BYTES),
    "MAX_ENCODINGS": ("What is encoded more often is taken for a secret.", address_secrets.MAX_DEPTH),
    "PING_INTERVAL_MS": ("A link is asked this often whether it is there.", round(protocol.PING_INTERVAL_S * 1000)),
    "PAIRING_EXPIRY_MS": ("As long is a question about pairing open.", round(pairing.EXPIRY_S * 1000)),
    "MAX_CONSOLE_LINES": ("So many console lines of a tab are kept.", console.MAX_LINES_PER_TAB),
    "MAX_REQUESTS": ("So many requests of a tab are kept.", network_log.MAX_REQUESTS_PER_TAB),
}


def text() -> str:
    """The module, as Prettier would write it."""
    return HEAD + "".join(_declared())


def _declared() -> Iterator[str]:
    for name, (said, words) in WORDS.items():
        line = f"export const {name} = [{', '.join(map(json.dumps, words))}];\n"
        each = "".join(f"  {json.dumps(word)},\n" for word in words)
        yield f"/** {said} */\n" + (line if len(line) <= 121 else f"export const {name} = [\n{each}];\n")
    for name, (said, number) in NUMBERS.items():
        yield f"/** {said} */\nexport const {name} = {number};\n"


if __name__ == "__main__":
    terminal.say(text(), end="")
