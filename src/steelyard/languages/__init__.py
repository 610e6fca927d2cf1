"""Languages: one record each, with its names, its code and what checks it."""
