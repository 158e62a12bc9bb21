"""What `make dist` runs: builds everything that is given to people, the same bytes each time from the same source."""
