"""The panel window: core and Qt, nothing of the hub."""
