"""Show the progress of a run on a terminal."""
