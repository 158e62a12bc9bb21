"""The recording: one page that needs nothing, escapes everything and says what it leaves out."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from kapture_panel import paths
from kapture_panel.export import recording
from tests.support.core.fakes import CATALOGUE, row

EVIL = "<img src=x onerror=alert(1)>\"'&\u202egnp.exe\x07\nsecond line 🦀"


def picture(folder: Path, name: str, size: tuple[int, int] = (400, 300), mode: str = "RGB") -> str:
    Image.effect_noise(size, 80).convert(mode).save(folder / name)
    return name


def test_everything_a_page_said_is_escaped(tmp_path: Path) -> None:
    made = row(
        EVIL, client=EVIL, site=EVIL, url=EVIL, params={EVIL: EVIL}, state="error", code=EVIL, summary=EVIL,
        effects={"url": f"https://a.example/{EVIL}"}, targets=[{"role": EVIL, "name": EVIL}],
    )  # fmt: skip
    text = recording.page([made], tmp_path, CATALOGUE)
    assert "<img src=x" not in text
    assert "\u202e" not in text
    assert "\x07" not in text
    assert "🦀" in text


def test_it_may_reach_nothing(tmp_path: Path) -> None:
    text = recording.page([row(url="https://a.example/")], tmp_path, CATALOGUE)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", text)


def test_parameters_and_results_are_said_in_words(tmp_path: Path) -> None:
    made = row(
        "fill", state="ok", ms=1234.5, params={"value": {"redacted": 1}, "clear": True, "fields": [{"a": 1}, {"a": 2}]},
        effects={"url": "https://a.example/done"}, summary="filled", targets=[{"role": "textbox", "name": "Email"}],
    )  # fmt: skip
    text = recording.page([made, row(state="error", code="STALE_REF", summary="gone")], tmp_path, CATALOGUE)
    for words in ("1 character, not kept", "yes", "a 1; a 2", "navigated to /done", "textbox “Email”", "1,234 ms"):
        assert f">{words}<" in text or words in text, words
    assert '<span class="state">STALE_REF</span>' in text
    assert "2 commands · 1 error" in text


def test_what_a_person_was_waited_for_is_told_beside_what_it_took(tmp_path: Path) -> None:
    text = recording.page([row("click", state="ok", ms=12.3, waited_ms=18_840)], tmp_path, CATALOGUE)
    assert "12 ms + 18.8 s until a person answered" in text


@pytest.mark.parametrize(
    ("code", "said"), [("PAUSED", "paused"), ("DENIED", "denied"), ("APPROVAL_EXPIRED", "not answered in time")]
)
def test_what_a_gate_stopped_is_no_error(tmp_path: Path, code: str, said: str) -> None:
    text = recording.page([row(state="error", code=code), row(state="unknown")], tmp_path, CATALOGUE)
    assert f'<span class="state">{said}</span>' in text
    assert 'data-state="stopped"' in text
    assert 'data-state="error"' not in text
    assert "2 commands · 1 error" in text, "what came of one is not known"


def test_its_title_names_sites_and_no_blank_page_and_an_element_is_told_once(tmp_path: Path) -> None:
    twice = [{"role": "button", "name": "Pay"}] * 2
    rows = [row("new_tab", site="about"), row("click", site="shop.example", targets=twice), row("list_tabs", site="")]
    text = recording.page(rows, tmp_path, CATALOGUE)
    assert "<title>Recording of shop.example</title>" in text
    assert text.count("button “Pay”") == 1
    assert '<span class="site">about' not in text
    assert "<title>Recording</title>" in recording.page(rows[:1], tmp_path, CATALOGUE)


@pytest.mark.parametrize(("outcome", "said"), [("confirmed", "confirmed"), ("no_effect", "no effect"), ("", "done")])
def test_each_command_says_what_came_of_it(tmp_path: Path, outcome: str, said: str) -> None:
    summary = f"page changed · {said}"
    text = recording.page([row("click", state="ok", outcome=outcome, summary=summary)], tmp_path, CATALOGUE)
    assert f'<span class="state">{said}</span>' in text
    assert '<p class="result">page changed</p>' in text


def test_pictures_are_inside_and_scaled_down(tmp_path: Path) -> None:
    name = picture(tmp_path, "a.png", (3200, 1000), "RGBA")
    text = recording.page([row("screenshot", state="ok", shot=name, params={"name": "top"})], tmp_path, CATALOGUE)
    assert 'width="1600" height="500" src="data:image/webp;base64,' in text
    assert "Pictures show what the pages showed, also typed text" in text
    assert "1 command · 0 errors · 1 picture · " in text
    assert recording.pictures_in(text) == 1


@pytest.mark.parametrize("name", ["wide.jpg", "wide.webp"])
def test_a_picture_that_is_too_large_is_scaled_down_whatever_it_is(tmp_path: Path, name: str) -> None:
    text = recording.page([row(shot=picture(tmp_path, name, (3200, 1000)))], tmp_path, CATALOGUE)
    assert 'width="1600" height="500" src="data:image/webp;base64,' in text


def test_that_no_pictures_were_recorded_stands_at_its_top(tmp_path: Path) -> None:
    text = recording.page([row("click"), row("fill", summary="<figure>")], tmp_path, CATALOGUE)
    assert '<p class="note">Without pictures: none were recorded.</p>' in text
    assert "picture ·" not in text
    assert recording.pictures_in(text) == 0


def test_pictures_around_an_action_stand_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "recordings").mkdir()
    for name in ("b.jpg", "a.jpg"):
        picture(tmp_path / "recordings", name)
    text = recording.page([row("click", before="b.jpg", after="../a.jpg")], tmp_path, CATALOGUE)
    (together,) = re.findall(r'<div class="pictures">(.*?)</div>', text, re.DOTALL)
    assert re.findall(r"<figcaption>(\w+)</figcaption>", together) == ["Before", "After"]
    assert 'aria-label="Click, before: show it whole"' in together
    inside = [base64.b64decode(data) for data in re.findall(r"data:image/jpeg;base64,([^\"]+)", together)]
    assert inside == [(tmp_path / "recordings" / name).read_bytes() for name in ("b.jpg", "a.jpg")], "as they were"


def test_pictures_of_an_isolated_conversation_are_inside(tmp_path: Path) -> None:
    for name, folder in (("a.png", tmp_path), ("b.jpg", tmp_path / "recordings"), ("c.jpg", tmp_path / "recordings")):
        own = folder / "0123456789ab"
        own.mkdir(parents=True, exist_ok=True)
        picture(own, name)
    text = recording.page(
        [row("click", before="b.jpg", after="c.jpg"), row("screenshot", shot="a.png")], tmp_path, CATALOGUE
    )
    assert recording.pictures_in(text) == 3
    assert "no longer there" not in text


def test_a_picture_that_is_gone_or_broken_is_said(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"no picture")
    half = tmp_path / picture(tmp_path, "half.jpg")
    half.write_bytes(half.read_bytes()[:2000])
    text = recording.page(
        [row(shot="gone.png"), row(shot="broken.png"), row(shot="../../etc/passwd"), row(shot="half.jpg")],
        tmp_path,
        CATALOGUE,
    )
    assert "4 pictures no longer there" in text
    assert "none were recorded" not in text
    assert "Pictures show" not in text


def test_its_size_is_bounded_and_what_is_left_out_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MAX_ROWS", 5)
    monkeypatch.setattr(recording, "MAX_PICTURES_BYTES", 100_000)
    rows = [row("screenshot", id=at, state="ok", shot=picture(tmp_path, f"{at}.png")) for at in range(8)]
    text = recording.page(rows, tmp_path, CATALOGUE)
    assert 'id="row-2"' not in text
    assert 'id="row-3"' in text
    assert "The 3 oldest commands of 8 left out." in text
    assert len(text) < 150_000
    assert re.search(r"\d pictures left out: a recording holds", text)


def test_its_colours_are_the_windows() -> None:
    tokens = json.loads((paths.resources() / "theme" / "tokens.json").read_text())
    style = (Path(recording.__file__).parent / "recording.css").read_text()
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    names = {"secondary": "text_secondary", "ok-bg": "ok_bg", "warn-bg": "warn_bg", "error-bg": "error_bg"}
    for mode, part in (("light", light), ("dark", dark.partition("\n}\n")[0])):
        colours = dict(re.findall(r"--([\w-]+): (#\w{6})", part))
        assert len(colours) == 14
        assert colours == {name: tokens[mode][names.get(name, name)] for name in colours}


def test_the_maker_of_pages_is_loaded_with_the_first_recording_alone() -> None:
    code = "import sys, kapture_panel.export; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
