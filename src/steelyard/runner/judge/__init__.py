"""Ask judges, and keep their replies."""
