"""How long a test waits for what must come: long enough for any machine, for it ends a hang and measures nothing."""

from __future__ import annotations

PATIENCE_S = 120.0
PATIENCE_MS = 120_000
