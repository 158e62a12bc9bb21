"""One MCP conversation: tools, resources, prompts, progress and updates."""
