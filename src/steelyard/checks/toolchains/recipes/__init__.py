"""Recipes: how answers of a language are built and run, step by step, each in a sandbox of its own."""
