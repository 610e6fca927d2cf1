"""Check answers in a sandbox."""
