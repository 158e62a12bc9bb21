"""The commands there are, what is kept of one, and the reference made from them."""
