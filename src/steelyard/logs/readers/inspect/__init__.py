"""Read the logs of Inspect."""
