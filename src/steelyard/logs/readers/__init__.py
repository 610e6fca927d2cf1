"""One reader for each tool."""
