"""Agents, run by a command line."""
