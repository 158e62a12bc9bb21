"""Agents, what they ask for, and the rules they are under."""
