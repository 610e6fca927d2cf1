"""Keeps expected values outside of the sandbox: tests report actual values, which are compared here."""

from steelyard.checks.python.sealing.decide import ReportedValue, decide, is_plain
from steelyard.checks.python.sealing.records import Assertion, SealedTests
from steelyard.checks.python.sealing.seal import seal

__all__ = ["Assertion", "ReportedValue", "SealedTests", "decide", "is_plain", "seal"]
