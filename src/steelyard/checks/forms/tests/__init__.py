"""Checking any language by a recipe: how answers are built, tested and judged."""
