"""`kapture mcp`: a small process between an MCP client's pipes and the running panel. Standard library only."""
