"""Keeps expected values out of the sandbox: tests report actual values, which are compared here."""

from steelyard.checks.toolchains.python.sealing.decide import Report, decide, is_plain
from steelyard.checks.toolchains.python.sealing.records import Assertion, SealedCount, SealedTests, count
from steelyard.checks.toolchains.python.sealing.seal import seal

__all__ = ["Assertion", "Report", "SealedCount", "SealedTests", "count", "decide", "is_plain", "seal"]
