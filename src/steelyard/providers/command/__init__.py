"""Agents that are run as a command."""
