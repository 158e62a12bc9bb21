"""What everyone may use: signals, tasks, errors, addresses, settings, files only their owner can read."""
