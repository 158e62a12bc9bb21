"""JSON is read strictly and its mistakes are pointed at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kapture_panel.window.widgets.params_json import ParamsError, dump, load

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_what_was_written_is_read_back(params: dict[str, object]) -> None:
    assert load(dump(params)) == params


def test_empty_text_is_no_parameters() -> None:
    assert load(" \n") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  "a": 1,\n  oops\n}', "Line 3, column 3"),
        ("[1]", "one object"),
        ('{"a": 1, "a": 2}', "'a' is given twice"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_a_mistake_is_named(text: str, message: str) -> None:
    with pytest.raises(ParamsError, match=message):
        load(text)
