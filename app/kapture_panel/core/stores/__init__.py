"""What was done and seen: history, console, network log, screenshots, long answers, and forgetting them."""
