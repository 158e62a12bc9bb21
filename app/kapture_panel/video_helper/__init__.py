"""The process that turns pictures into a video."""
