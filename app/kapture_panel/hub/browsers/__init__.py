"""Browsers: the panel's own over a pipe, those of a conversation, and the person's."""
