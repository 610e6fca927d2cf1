"""Audit eval sets: whether the verdicts of their tests can be trusted."""
