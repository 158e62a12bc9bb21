"""Bits of the history's file are flipped: the panel starts every time and keeps a whole history from then on."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

from kapture_panel.core.stores.history import History
from kapture_panel.core.stores.history_row import Row
from tests.soak.check import Amount, Check, Figure
from tests.support.e2e.processes import KAPTURE, Serve

FLIPS, FULL = 50, 200
ROWS = 400
#: By turns: one bit, some, a whole sector's worth.
BITS = (1, 20, 4096)
FILES = ("history.sqlite3", "history.sqlite3-wal")


async def measure(folder: Path, count: int) -> Figure:
    """Start a panel over each damaged file, call it, end it, and look at the file."""
    seed = random.SystemRandom().randrange(10**6)
    print(f"          seed {seed}", flush=True)
    lot, root, whole = random.Random(seed), folder / "data", folder / "whole"
    prepare(folder / "source", whole)
    started = moved = told = unknown = bad = 0
    for number in range(count):
        damage(whole, root, lot, BITS[number % len(BITS)], FILES[number // len(BITS) % len(FILES)])
        try:
            serve = await asyncio.to_thread(Serve, root)
        except ValueError:  # it ended without its line
            continue
        started += 1
        called = [*KAPTURE, "call", "list_tabs", "--data-dir", str(root)]
        await asyncio.to_thread(subprocess.run, called, check=True, stdout=subprocess.DEVNULL)
        if any(root.glob("history.sqlite3.damaged-*")):
            moved += 1
            doctor = [*KAPTURE, "doctor", "--data-dir", str(root)]
            said = await asyncio.to_thread(subprocess.run, doctor, capture_output=True, text=True, check=False)
            told += "a damaged history was moved aside" in said.stdout
        await asyncio.to_thread(serve.end)
        verdict, rows = state(root / FILES[0])
        bad += verdict != "ok"
        unknown += rows == 0
    shown = (
        f"{started} of {count} started; {moved} moved the file aside, {told} told the doctor so; afterwards {bad} "
        f"files were not whole and {unknown} lacked the call's row"
    )
    return Figure(shown, started == count and told == moved and not bad and not unknown)


def prepare(source: Path, whole: Path) -> None:
    """A history whose last rows stand in the log beside its file."""
    source.mkdir()
    whole.mkdir()
    history = History(source / FILES[0])
    for number in range(ROWS):
        row = Row(0, time.time(), "a", "agent", "t1", "shop.example", "https://shop.example/", "click", {"n": number})
        history.begin(row, durable=number % 20 == 0)
        if number == ROWS // 2:
            history.close()  # the first half stands in the file itself
            history = History(source / FILES[0])
    history.flush()
    for file in source.iterdir():
        shutil.copy(file, whole)
    history.close()


def damage(whole: Path, root: Path, lot: random.Random, bits: int, name: str) -> None:
    """Put the history there with bits of one of its files flipped, next to each other for the half of them."""
    root.mkdir(exist_ok=True, mode=0o700)
    for file in root.glob("history.sqlite3*"):
        file.unlink()
    for file in whole.iterdir():
        shutil.copy(file, root)
    if name == FILES[0] and lot.randrange(2):  # as an orderly end leaves it: nothing else has its pages, too
        for file in (root / FILES[1], root / f"{FILES[0]}-shm"):
            file.unlink()
    data = bytearray((root / name).read_bytes())
    begin = lot.randrange(len(data) * 8)
    for number in range(bits):
        at = (begin + number) % (len(data) * 8) if bits > 1 and begin % 2 else lot.randrange(len(data) * 8)
        data[at // 8] ^= 1 << at % 8
    (root / name).write_bytes(data)


def state(file: Path) -> tuple[str, int]:
    """SQLite's verdict on the file, and how many of the call's rows it has."""
    with contextlib.closing(sqlite3.connect(file)) as db:
        (verdict,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        (rows,) = db.execute("SELECT COUNT(*) FROM commands WHERE command = 'list_tabs'").fetchone()
    return verdict, rows


CHECK = Check(
    "damage",
    "bits of the history's file, or of the log beside it, are flipped: the panel starts every time, tells if it moved "
    "the file aside, and the file is whole afterwards",
    measure,
    longest_s=200,
    amount=Amount(FLIPS, FULL, "damaged files"),
)
