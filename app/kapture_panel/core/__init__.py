"""The product without its skins: no Qt, no sockets, no subprocesses."""
