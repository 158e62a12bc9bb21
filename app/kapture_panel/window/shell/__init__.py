"""The window itself: what stands around the rooms, and what goes between them."""
