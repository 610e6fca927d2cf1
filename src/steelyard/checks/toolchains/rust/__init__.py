"""Check Rust answers: build, graded tests, lint."""

from steelyard.checks.toolchains.rust.checker import RustChecker

__all__ = ["RustChecker"]
