"""Public benchmarks by name: list them, get their data, run them, and verify that their references pass."""
