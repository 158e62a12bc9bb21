"""Site formatters run here: a process of their own, so that one that hangs or crashes harms nobody."""
