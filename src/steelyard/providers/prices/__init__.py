"""Prices of model calls."""
