"""Kapture Panel in the configuration files of MCP clients: where they are, what is changed, how it is written."""
