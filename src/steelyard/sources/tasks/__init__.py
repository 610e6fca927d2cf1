"""Read tasks of other tools as eval sets."""
