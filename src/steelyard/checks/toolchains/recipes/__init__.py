"""Recipes: the steps that build and run answers, each in its own sandbox."""
