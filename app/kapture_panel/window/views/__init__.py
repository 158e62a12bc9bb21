"""What a person sees: one widget per file."""
