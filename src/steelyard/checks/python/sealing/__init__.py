"""Keeps expected values outside of the sandbox: tests report actual values, which are compared here."""

from steelyard.checks.python.sealing.decide import Report, decide, is_plain
from steelyard.checks.python.sealing.records import Assertion, SealedTests
from steelyard.checks.python.sealing.seal import seal

__all__ = ["Assertion", "Report", "SealedTests", "decide", "is_plain", "seal"]
