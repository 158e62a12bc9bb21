"""The page as it is now, in the middle of the window, with what is done in it."""
