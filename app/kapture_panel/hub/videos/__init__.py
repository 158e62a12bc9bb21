"""Videos of tabs: recorded from the pictures of whoever watches, encoded by a process of its own."""
