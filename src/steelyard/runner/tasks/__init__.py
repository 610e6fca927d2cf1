"""Run agents on tasks in containers."""
