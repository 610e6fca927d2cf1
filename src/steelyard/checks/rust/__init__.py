"""The check of Rust answers: build, graded tests, lint."""

from steelyard.checks.rust.checker import RustChecker

__all__ = ["RustChecker"]
