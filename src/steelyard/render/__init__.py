"""Reports, comparisons and verdicts to documents: text, Markdown, HTML, JSON and other formats."""
