"""Read rubrics."""
