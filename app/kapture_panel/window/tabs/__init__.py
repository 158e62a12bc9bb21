"""The connected tabs, and those that could be."""
