"""Item models over the core's stores; they speak plain text and tones, never colours."""
