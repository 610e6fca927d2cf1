"""Weigh a sandboxed Rust check (build, graded tests, lint) against bare `cargo test` and `cargo clippy`.

Both sides in turns on the same answers, each with a target folder of its own, the bare side without rustup's
stand-ins; ratio of medians, goal 0.6. With --repeat N answers are checked N times in all while every core is
kept busy, and the outcomes of each must be equal.
Run: python -m benchmarks.checks_rust [--rounds 20] [--repeat 0]
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.under_load import busy_cores
from steelyard.checks.rust import RustChecker
from steelyard.checks.rust.toolchain import find_toolchain
from steelyard.model.case import Case, Expectations
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

GOAL_RATIO = 0.6
TESTS = """\
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_word() {
        let counts = count_words("a b a");
        assert_eq!(counts.get("a"), Some(&2));
        assert_eq!(counts.get("b"), Some(&1));
    }

    #[test]
    fn finds_the_most_frequent() {
        assert_eq!(most_frequent("x y y z"), Some("y".to_string()));
    }

    #[test]
    fn finds_nothing_in_nothing() {
        assert_eq!(most_frequent(""), None);
    }

    #[test]
    fn knows_words() {
        assert!(is_word("abc"));
        assert!(!is_word("a-b"));
    }
}
"""
RIGHT = """\
use std::collections::HashMap;

pub fn count_words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_string()).or_insert(0) += 1;
    }
    counts
}

pub fn most_frequent(text: &str) -> Option<String> {
    let counts = count_words(text);
    return counts.into_iter().max_by_key(|(_, count)| *count).map(|(word, _)| word);
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_alphanumeric)
}
"""
ANSWERS = {
    "right": RIGHT,
    "wrong": RIGHT.replace("+= 1", "+= 2"),
    "broken": RIGHT.replace("usize>", "usiz>"),
    "untestable": RIGHT.replace("fn is_word", "fn is_a_word"),
}
CASE = Case(id="words", language="rust", timeout_s=30, expectations=Expectations(tests=TESTS))
TOOLS = f"{find_toolchain().sysroot}/bin"
ENV = {"PATH": f"{TOOLS}:{os.environ['PATH']}", "HOME": os.environ["HOME"]}
MANIFEST = '[package]\nname = "answer"\nversion = "0.1.0"\nedition = "2021"\n'


def bare(code: str) -> None:
    """Do by hand what a check does, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "src").mkdir()
        Path(folder, "Cargo.toml").write_text(MANIFEST, encoding="utf-8")
        Path(folder, "src/lib.rs").write_text(code + TESTS, encoding="utf-8")
        for word in ("test", "clippy"):
            argv = [f"{TOOLS}/cargo", word, "--offline", "--lib"]
            subprocess.run(argv, cwd=folder, env=ENV, check=False, capture_output=True)


def seconds(work: Callable[[], object]) -> float:
    """Return how long some work took."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def ratio(checker: RustChecker, name: str, rounds: int) -> float:
    """Measure both sides in turns; return the ratio of their medians."""
    code = ANSWERS[name]
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(seconds(lambda: checker.check(CASE, code)))
        theirs.append(seconds(lambda: bare(code)))
    found = statistics.median(ours) / statistics.median(theirs)
    print(
        f"{name}: checked {statistics.median(ours) * 1e3:.0f} ms (least {min(ours) * 1e3:.0f}), "
        f"cargo {statistics.median(theirs) * 1e3:.0f} ms (least {min(theirs) * 1e3:.0f}), ratio {found:.2f}"
    )
    return found


def distinct_outcomes(checker: RustChecker, times: int) -> int:
    """Check the answers again and again under load; return by how many outcomes there are too many."""
    work = [list(ANSWERS)[at % len(ANSWERS)] for at in range(times)]
    with busy_cores(times), ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda name: checker.check(CASE, ANSWERS[name]), work))
    seen = Counter(
        (name, outcome.facts, outcome.detail) for name, outcome in zip(work, outcomes, strict=True)
    )
    for (name, facts, _), count in sorted(seen.items(), key=str):
        print(f"{name}: {count} times {facts.classification}")
    return len(seen) - len(set(work))


def main() -> int:
    """Measure, and say whether the goals are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=0)
    options = parser.parse_args()
    checker = RustChecker(BubblewrapSandbox())
    checker.check(CASE, RIGHT)  # builds our helpers, once
    found = {name: ratio(checker, name, options.rounds) for name in ANSWERS} if options.rounds else {}
    worst = max((found[name] for name in ("right", "wrong") if name in found), default=0.0)
    print(f"the worst ratio of answers that run is {worst:.2f}, the goal {GOAL_RATIO}")
    surplus = distinct_outcomes(checker, options.repeat) if options.repeat else 0
    print(f"outcomes too many: {surplus}")
    return int(worst > GOAL_RATIO or surplus > 0)


if __name__ == "__main__":
    sys.exit(main())
