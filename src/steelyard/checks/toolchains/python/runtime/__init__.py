"""Runs inside the sandbox, with the answer and its tests. Standard library and pytest only."""
