"""What an error repeats of what was given."""

from __future__ import annotations

from typing import Any

import pytest

from kapture_panel.hub.agent_door.clipping import MAX_CHARS, clipped

LONG = "z" * 500
CUT = f"{'z' * MAX_CHARS}… (500 characters)"


@pytest.mark.parametrize(
    "given",
    [{"selector": LONG}, {"steps": [{"params": {"selector": LONG}}]}, {LONG: 1}, [LONG], LONG],
)
def test_a_long_text_is_cut_however_deep_it_was_given(given: Any) -> None:
    assert clipped(f"nothing matches {LONG}, {LONG}", given) == f"nothing matches {CUT}, {CUT}"


def test_it_is_cut_everywhere_in_what_is_said() -> None:
    error = {"message": f"no {LONG}", "param": LONG, "step": 2, "listed": [LONG, None]}
    assert clipped(error, {"a": LONG}) == {"message": f"no {CUT}", "param": CUT, "step": 2, "listed": [CUT, None]}


@pytest.mark.parametrize("shown", ['"{}"', "{}"])
def test_a_text_with_quotes_is_found_as_json_and_python_write_it(shown: str) -> None:
    text = 'say "ü"\n' * 100
    for written in ('say \\"ü\\"\\n' * 100, repr(text)[1:-1], text):
        said = clipped(f"it is {shown.format(written)}", {"text": text})
        assert said.startswith("it is")
        assert len(said) < 260


def test_of_two_long_texts_the_longer_one_is_told() -> None:
    outer = f"#{LONG} > b"
    assert clipped(f"no {outer}", {"a": LONG, "b": outer}) == f"no {outer[:MAX_CHARS]}… ({len(outer)} characters)"


@pytest.mark.parametrize("text", ["a", "z" * MAX_CHARS])
def test_what_is_short_stays(text: str) -> None:
    assert clipped({"message": f"no {text}"}, {"selector": text, "count": 3}) == {"message": f"no {text}"}
