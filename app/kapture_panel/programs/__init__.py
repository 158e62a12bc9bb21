"""What `kapture` can run as; each module composes one program from core, hub and window."""
