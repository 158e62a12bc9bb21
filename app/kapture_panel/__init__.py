"""Kapture Panel: agents and a person drive the tabs of a real browser, in sight of the person."""

__version__ = "0.1.0"
