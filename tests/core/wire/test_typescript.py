"""The types of the wire's frames, as the extension is checked by them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest

from kapture_panel import paths
from kapture_panel.core.wire import typescript


class Inner(msgspec.Struct):
    names: list[str] = []


class Outer(msgspec.Struct, tag_field="type", tag="outer"):
    """What it is.

    And more of it."""

    inner: Inner | None
    choice: Literal["", "accept"] = ""
    numbers: dict[str, float] = {}
    mixed: list[int | str] = []
    whatever: Any = None


def test_a_struct_is_an_interface_with_its_tag_and_those_it_needs_stand_before_it() -> None:
    assert typescript.declarations([Outer, Inner]) == (
        "export interface Inner {\n  names?: string[];\n}\n\n"
        "/**\n * What it is.\n *\n * And more of it.\n */\n"
        'export interface Outer {\n  type: "outer";\n  inner: Inner | null;\n  choice?: "" | "accept";\n'
        "  numbers?: Record<string, number>;\n  mixed?: (number | string)[];\n  whatever?: any;\n}\n"
    )


def test_a_type_no_frame_has_had_is_an_error() -> None:
    class Odd(msgspec.Struct):
        value: complex

    with pytest.raises(TypeError, match="no type of TypeScript"):
        typescript.declarations([Odd])


def test_what_the_extension_is_checked_by_is_not_stale() -> None:
    written = (paths.extension() / "wire" / "protocol.d.ts").read_text(encoding="utf-8")
    assert written == typescript.text(), (
        "make it again: python -m kapture_panel.programs.wire_types > extension/wire/protocol.d.ts"
    )
