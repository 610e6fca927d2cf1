"""Eval sets in files, for the tests that read them."""

from pathlib import Path

from steelyard.model.evalset import EvalSet
from steelyard.sources.evalset.read import read_eval_set
from tests.commands import written

SMALLEST = '[[cases]]\nid = "a"\nprompt = "Why?"\n'

FORGETEST = '''\
[eval_set]
id = "rust-basics"
name = "Rust Basics"
description = "Fundamental Rust tasks"
default_language = "rust"
default_timeout_secs = 60

[[cases]]
id = "fibonacci"
name = "Fibonacci function"
description = "Generate a function that computes fibonacci numbers"
prompt = """
Write a Rust function `fn fibonacci(n: u64) -> u64`.
"""
language = "rust"
tags = ["algorithms", "easy"]
timeout_secs = 30
max_tokens = 1024

[[cases.dependencies]]
name = "serde"
version = "1"
features = ["derive"]

[cases.expectations]
should_compile = true
should_pass_tests = true
test_file = """
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn small() { assert_eq!(fibonacci(10), 55); }
}
"""
expected_functions = ["fibonacci"]
expected_types = ["Memo"]
max_clippy_warnings = 2
custom_check = "grep -q fn"

[[cases]]
id = "does-not-compile"
name = "A borrow error"
prompt = "Write Rust code that the borrow checker refuses."

[cases.expectations]
should_compile = false
'''


def read(folder: Path, text: str, name: str = "set.toml") -> EvalSet:
    """Write a set and read it."""
    return read_eval_set(written(folder, text, name))
