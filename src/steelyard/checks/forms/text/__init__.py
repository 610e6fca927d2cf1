"""Grade text answers: exact texts, patterns, JSON, HTML and other formats."""
