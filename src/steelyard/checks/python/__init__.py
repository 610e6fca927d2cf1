"""Checking Python: graded tests in one process, the answer in another, a verdict the answer cannot write."""

from steelyard.checks.python.checker import PythonChecker as PythonChecker
