"""Numbers in the few words a dense window has room for."""

from __future__ import annotations

import time


def age(seconds: float) -> str:
    """How long ago: "now", "8 s", "21 min", "3 h", "2 d"."""
    if seconds < 2:
        return "now"
    for limit, divisor, unit in ((60, 1, "s"), (3600, 60, "min"), (86400, 3600, "h")):
        if seconds < limit:
            return f"{int(seconds / divisor)} {unit}"
    return f"{int(seconds / 86400)} d"


def clock(at_s: float, *, millis: bool = False) -> str:
    """The local time of day of seconds since 1970."""
    try:
        stamp = time.strftime("%H:%M:%S", time.localtime(at_s))
    except (OverflowError, ValueError, OSError):
        return "--:--:--"
    return f"{stamp}.{int(at_s * 1000) % 1000:03d}" if millis else stamp


def duration(ms: float | None) -> str:
    """A time span: "< 1 ms", "12 ms", "804 ms", "4.2 s"."""
    if ms is None:
        return ""
    if ms < 1:
        return "< 1 ms"
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def size(number_bytes: int) -> str:
    """A file size: "840 B", "12 kB", "1.4 MB"."""
    if number_bytes < 1000:
        return f"{number_bytes} B"
    if number_bytes < 1_000_000:
        return f"{number_bytes / 1000:.0f} kB"
    return f"{number_bytes / 1_000_000:.1f} MB"


def number(value: float) -> str:
    """A number with its thousands apart, as a placeholder shows a default: "30 000"."""
    return f"{value:,}".replace(",", "\u202f")


def count(amount: int, word: str) -> str:
    """ "1 tab", "4 tabs", "12 000 calls"."""
    return f"{number(amount)} {word}{'' if amount == 1 else 's'}"


def tokens(number_bytes: int) -> str:
    """About what text costs a model, four bytes a token: "0 tokens", "≈ 840 tokens", "≈ 12k tokens"."""
    amount = number_bytes // 4
    if not amount:
        return "0 tokens"
    return f"≈ {amount} tokens" if amount < 1000 else f"≈ {amount / 1000:.0f}k tokens"


def moment(at_s: float) -> str:
    """Day and local time of seconds since 1970."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at_s))
    except (OverflowError, ValueError, OSError):
        return "at an unknown time"
