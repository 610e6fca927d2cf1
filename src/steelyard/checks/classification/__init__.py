"""Classify outcomes, and detect refusals."""
