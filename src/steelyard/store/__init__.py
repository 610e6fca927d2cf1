"""Counting outcomes: DuckDB over files, one group-by, integers out."""
