"""Detect answers that refuse the task."""
