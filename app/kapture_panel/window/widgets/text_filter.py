"""What a filter field asks for: words, or a pattern that cannot run away."""

from __future__ import annotations

from PySide6.QtCore import QRegularExpression

#: PCRE2 gives up on a line after so many steps: a pattern with nested repeats would hold the window for minutes.
_BOUND = "(*LIMIT_MATCH=5000)"


class TextFilter:
    """Ignores case.

    Raises:
        ValueError: `text` is not a pattern; the message says why and where.
    """

    def __init__(self, text: str = "", *, is_pattern: bool = False) -> None:
        self.text = text
        self.is_pattern = is_pattern and bool(text)
        self._needle = text.lower()
        # In a pattern \D and \d are not the same.
        self._key = (text if self.is_pattern else self._needle, self.is_pattern)
        self._pattern: QRegularExpression | None = None
        if self.is_pattern:
            options = QRegularExpression.PatternOption
            pattern = QRegularExpression(_BOUND + text, options.CaseInsensitiveOption)
            if not pattern.isValid():
                at = max(pattern.patternErrorOffset() - len(_BOUND), 1)
                raise ValueError(f"Not a pattern: {pattern.errorString()} (at character {min(at, len(text))})")
            pattern.optimize()
            self._pattern = pattern

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextFilter) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def passes(self, *texts: str) -> bool:
        """Whether one of `texts` contains what is asked for."""
        if self._pattern is not None:
            return any(self._pattern.match(text).hasMatch() for text in texts)
        return not self._needle or any(self._needle in text.lower() for text in texts)

    def is_within(self, other: TextFilter) -> bool:
        """Whether all that passes here is known to pass `other`."""
        return self == other or (not self.is_pattern and not other.is_pattern and other._needle in self._needle)
