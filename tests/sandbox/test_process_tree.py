"""What a command and its descendants use, counted without a control group."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from steelyard.sandbox.process_tree import ProcessTree

FAMILY = """
import os, sys, time
if not os.fork():
    end = time.process_time() + 0.4
    while time.process_time() < end: pass
    os._exit(0)
os.wait()
if not os.fork():
    print("ready", flush=True)
    time.sleep(60)
time.sleep(60)
"""


@contextmanager
def family() -> Iterator[ProcessTree]:
    """Start a process with a child that has computed and ended, and one that sleeps."""
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "ready\n"
        tree = ProcessTree(first.pid)
        try:
            yield tree
        finally:
            for pid in tree.members()[::-1]:
                subprocess.run(["kill", "-9", str(pid)], check=True)


def test_children_are_counted_with_what_has_ended() -> None:
    with family() as tree:
        assert len(tree.members()) == 2
        assert 0.3 <= tree.cpu_s() < 5  # counted in ticks


def test_a_process_that_is_no_more_uses_nothing(tmp_path: Path) -> None:
    tree = ProcessTree(1, proc=tmp_path)

    assert (tree.members(), tree.cpu_s()) == ([1], 0)


@pytest.mark.check_all
def test_counting_is_quick() -> None:
    """It is done ten times a second for each command."""
    with family() as tree:
        began = time.process_time()
        for _ in range(10):
            tree.cpu_s()

        assert time.process_time() - began < 0.1
