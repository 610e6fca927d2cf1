"""Checks answers in Python: tests and answer run in one sandboxed process, and verdicts are made outside."""

from steelyard.checks.python.checker import PythonChecker as PythonChecker
