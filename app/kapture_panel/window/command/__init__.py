"""Choosing a command, filling in its form, and its result."""
