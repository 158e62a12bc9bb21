"""The instance on its machine: its lock, the desktop, the doctor, the formatters' helper process."""
