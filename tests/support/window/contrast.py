"""How well one colour is read on another."""

from __future__ import annotations


def contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2.2."""

    def luminance(name: str) -> float:
        channels = [int(name[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
