"""Screenshots, small and large."""
