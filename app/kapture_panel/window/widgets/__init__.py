"""What any room may use."""
