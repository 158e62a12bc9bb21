"""What goes between panel and extension: the proof of each, and the frames, where bytes become types."""
