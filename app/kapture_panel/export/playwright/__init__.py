"""History rows as a script for Playwright's sync API in Python."""
