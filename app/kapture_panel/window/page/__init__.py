"""What a page says and loads: the console and the network log."""
