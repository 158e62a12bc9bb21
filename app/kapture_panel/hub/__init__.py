"""Core plus the world: the extension's door, the agents' door, the managed browser."""
