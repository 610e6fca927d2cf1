"""Engines: who does the work, and where."""
