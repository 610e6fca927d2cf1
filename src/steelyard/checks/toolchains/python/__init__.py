"""Checks answers in Python: tests and answer share one sandboxed process; verdicts are decided outside."""

from steelyard.checks.toolchains.python.checker import PythonChecker as PythonChecker
