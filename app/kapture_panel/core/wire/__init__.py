"""The frames between panel and extension: the only place where bytes become types."""
