"""`kapture demo`: a small shop and an agent that shops in it, each step checked on the page itself."""
