"""One writer for each form that other tools read."""
