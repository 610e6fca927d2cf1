"""Checks answers in Python: tests and answer share one sandboxed process; verdicts are decided outside."""

from steelyard.checks.python.checker import PythonChecker as PythonChecker
