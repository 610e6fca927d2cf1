"""Read the results of promptfoo."""
