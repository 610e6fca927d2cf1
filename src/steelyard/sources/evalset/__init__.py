"""Read eval sets."""
