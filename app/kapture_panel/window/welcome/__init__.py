"""The first page: a browser, an agent, a first command."""
