"""The run store: every paid answer and every checked outcome of a run, in tables that outlive us."""
