"""What panel and extension go by alike is written once, in the panel; the extension's file is made of it."""

from __future__ import annotations

from kapture_panel import paths
from kapture_panel.core.catalogue import address_secrets
from kapture_panel.core.wire import protocol
from kapture_panel.programs import agreed


def test_the_extensions_file_is_the_one_that_would_be_made_now() -> None:
    kept = (paths.extension() / "basics" / "agreed.js").read_text(encoding="utf-8")
    assert kept == agreed.text(), "make it again: python -m kapture_panel.programs.agreed > extension/basics/agreed.js"


def test_words_and_numbers_of_both_sides_stand_in_it() -> None:
    lines = agreed.text().splitlines()
    assert f"export const PROTOCOL = {protocol.VERSION};" in lines
    assert 'export const WHOLE = ["sid", "ticket", "pin", "hash", "access", "nonce"];' in lines
    assert all(f'  "{word}",' in lines for word in address_secrets.WITHIN)
