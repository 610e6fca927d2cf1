"""Read recorded answers."""
