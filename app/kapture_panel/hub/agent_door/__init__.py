"""The agents' door: who is at the other end, and what a command answers there."""
