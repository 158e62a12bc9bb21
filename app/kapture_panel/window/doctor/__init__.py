"""What the doctor says of each link."""
