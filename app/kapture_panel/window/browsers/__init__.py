"""The person's own browsers: pairing, the guide, the list."""
