"""What every browser of ours is given: an identity of its own, and the key."""

from __future__ import annotations

import json

from kapture_panel.hub.browsers.browser import handed_over, new_pairing


def config_in(expression: str) -> dict[str, object]:
    told: dict[str, object] = json.loads(expression.removeprefix("chrome.storage.session.set(").removesuffix(")"))[
        "config"
    ]
    return told


def test_each_run_has_a_key_of_its_own() -> None:
    one, other = new_pairing("s", "night"), new_pairing("s", "night")
    assert (one.session, one.place, one.managed) == ("s", "night", True)
    assert len({one.key, other.key, one.install, other.install}) == 4


def test_only_a_browser_elsewhere_is_told_that_its_links_are_carried() -> None:
    pairing = new_pairing()
    assert "carried" not in config_in(handed_over(pairing, 1, None))
    told = config_in(handed_over(pairing, 1, (800, 600), carried=True))
    assert (told["carried"], told["key"]) == (True, pairing.key)
    assert told["viewport"] == {"width": 800, "height": 600, "deviceScaleFactor": 1, "mobile": False}
