"""Data of opened runs for the viewer in `steelyard.web`."""
