"""Runs inside the sandbox, in the same process as the answer and its tests. Standard library and pytest only."""
