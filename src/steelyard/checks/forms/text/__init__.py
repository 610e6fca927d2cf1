"""Check answers that are text: patterns, JSON, HTML and other formats."""
