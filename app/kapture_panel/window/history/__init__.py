"""What was done: search, details, exports, running again, forgetting."""
