"""GitHub Markdown."""
