"""Completion, in the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from kapture_panel import cli
from kapture_panel.programs import arguments, completion

#: What is typed so far → what the shell offers, all of it or some of it.
CASES = [
    (["clic"], {"click"}),
    (["snap"], {"snapshot"}),
    (["inst"], {"install"}),
    (["click", "--but"], {"--button"}),
    (["click", "--button", ""], {"left", "middle", "right"}),
    (["click", "--jso"], {"--json"}),
    (["install", "curs"], {"cursor"}),
    (["completion", "fi"], {"fish"}),
    (["serve", "--headl"], {"--headless"}),
]
IDS = [" ".join(words) for words, _ in CASES]


def script(shell: str) -> str:
    return completion.script(shell, arguments.parser())


def in_bash(words: list[str]) -> set[str]:
    asks = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kapture; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{script('bash')}\n{asks}", "bash", "kapture", *words],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return set(done.stdout.split())


def in_fish(words: list[str]) -> set[str]:
    line = " ".join(["kapture", *words])
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"{script('fish')}\ncomplete -C {line!r}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return {row.split("\t")[0] for row in done.stdout.splitlines()}


def in_zsh(words: list[str]) -> set[str]:
    """Calls the function as the completion system does, with a stand-in for what shows the matches."""
    shows = """
    compdef() { :; }; _files() { :; }
    _describe() { local name=${@[-1]}; for one in "${(@P)name}"; do compadd -- "${one%%:*}"; done }
    compadd() { shift; for one in "$@"; do [[ $one == ${words[CURRENT]}* ]] && print -r -- "$one"; done; return 0 }
    """
    typed = " ".join(f"'{word}'" for word in ["kapture", *words])
    asks = f"words=({typed}); CURRENT={len(words) + 1}; _kapture"
    done = subprocess.run(
        ["zsh", "-f", "-c", f"{shows}\n{script('zsh')}\n{asks}"], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return set(done.stdout.split())


SHELLS = {"bash": in_bash, **{name: ask for name, ask in (("fish", in_fish), ("zsh", in_zsh)) if shutil.which(name)}}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("words", "offered"), CASES, ids=IDS)
def test_a_shell_offers_what_fits(shell: str, words: list[str], offered: set[str]) -> None:
    assert SHELLS[shell](words) == offered


def test_every_shell_has_its_script(capsys: pytest.CaptureFixture[str]) -> None:
    for shell in completion.SHELLS:
        assert cli.run(["completion", shell]) == 0
        assert "list_requests" in capsys.readouterr().out


def test_the_script_for_bash_completes_in_a_shell_that_a_person_types_in(tmp_path: Path) -> None:
    file = tmp_path / "kapture"
    file.write_text(script("bash"))
    ask = f"source '{file}'; complete -p kapture"
    done = subprocess.run(["bash", "--norc", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout == "complete -o default -F _kapture kapture\n"
