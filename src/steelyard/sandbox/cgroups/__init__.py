"""Control groups: find them, limit memory, processes and CPU time."""
