"""A sandbox by an OCI runtime such as runc."""
