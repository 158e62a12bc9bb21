"""The command palette: everything that can be found, and what fits what is typed."""
