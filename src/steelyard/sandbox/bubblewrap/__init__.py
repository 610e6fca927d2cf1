"""A sandbox by bubblewrap."""
