"""How fast a program may give commands: a bucket of tokens for each, however many clients it starts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from kapture_panel.core.basics.errors import KaptureError
from kapture_panel.core.call import Call

#: What a person may choose.
MIN_PER_S, MAX_PER_S = 1, 10_000


@dataclass(frozen=True)
class Rate:
    """`per_s` commands a second in the long run, `burst` at once after a rest. A rate outside is a ValueError."""

    per_s: int = 100
    burst: int = 200

    def __post_init__(self) -> None:
        for value in (self.per_s, self.burst):
            if type(value) is not int or not MIN_PER_S <= value <= MAX_PER_S:
                raise ValueError(f"{value!r} is not a rate; give {MIN_PER_S} to {MAX_PER_S}")


@dataclass
class _Bucket:
    tokens: float
    at: float


class Rates:
    """The buckets of all who started clients; the person has none.

    Args:
        rate: what holds now; asked at each command.
        clock: monotonic seconds.
    """

    def __init__(self, rate: Callable[[], Rate], clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        # By program, or more connections would mean more commands. All clients whose program is not known share one:
        # a client could leave its starter to get another. Kept when the clients have left: a program that connects
        # again would have a full bucket otherwise.
        self._of_starters: dict[tuple[str, str], _Bucket] = {}

    def admit(self, call: Call) -> None:
        """Take a token for a command.

        Raises:
            KaptureError: `RATE_LIMITED` with `retryAfterMs`; nothing is taken then.
        """
        client = call.client
        if client.kind == "person":
            return
        rate, now = self._rate(), self._clock()
        bucket = self._of_starters.setdefault((client.parent, client.program), _Bucket(rate.burst, now))
        bucket.tokens = min(rate.burst, bucket.tokens + (now - bucket.at) * rate.per_s)
        bucket.at = now
        if bucket.tokens < 1:
            wait_ms = math.ceil((1 - bucket.tokens) / rate.per_s * 1000)
            raise KaptureError(
                "RATE_LIMITED",
                f"more than {rate.per_s} commands a second",
                f"nothing was done, try again in {wait_ms} ms",
                retryAfterMs=wait_ms,
            )
        bucket.tokens -= 1
