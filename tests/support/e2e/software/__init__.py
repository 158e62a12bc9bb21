"""Real software the site formatters know, run on loopback for the tests."""
