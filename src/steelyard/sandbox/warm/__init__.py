"""A sandbox with a warm Python interpreter that forks for each command."""
