"""Browsers on other machines: the places they come from, their sessions, and the wire to them over CDP."""
