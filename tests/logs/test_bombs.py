"""A small packed file that unpacks to gigabytes costs bounded memory, and a message that helps."""

import gzip
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

MOST_MEMORY = 300_000_000  # bytes
LISTS = b"[" + b"[]," * (20 * 2**20 // 3) + b"[]]"
HEADER = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "packages": {}}}
COMMAND = """
import re, sys
from steelyard.__main__ import main
sys.argv = ["steelyard", *sys.argv[1:]]
try:
    code = main()
finally:
    peak = re.search(r"VmHWM:\\s*([0-9]+) kB", open("/proc/self/status").read())
    print(int(peak[1]) * 1024)
sys.exit(code)
"""


def lists(folder: Path) -> list[str]:
    (folder / "s.json.gz").write_bytes(gzip.compress(LISTS))
    return ["import", "s.json.gz", "--run", "run"]


def samples(folder: Path) -> list[str]:
    with zipfile.ZipFile(folder / "s.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(HEADER))
        archive.writestr("samples/1.json", b'{"id": "1", "epoch": 1, "x": ' + LISTS + b"}")
    return ["import", "s.eval", "--run", "run"]


def replay(folder: Path) -> list[str]:
    (folder / "s.jsonl.gz").write_bytes(gzip.compress(b"\n" * 400_000_000, 1))
    options = ["--models", "a/b", "--eval-set", "python-basics", "--allow-unpriced", "--run", "run"]
    return ["run", "--replay", "s.jsonl.gz", *options]


def one_line(folder: Path) -> list[str]:
    line = b'{"case": "a", "model": "m", "passed": true, "text": "' + b"a" * 60_000_000 + b'"}\n'
    (folder / "s.jsonl.gz").write_bytes(gzip.compress(line, 1))
    return ["import", "s.jsonl.gz", "--run", "run"]


def one_cell(folder: Path) -> list[str]:
    row = b'a,m,true,"' + b"a\n" * 30_000_000 + b'"\n'
    (folder / "s.csv.gz").write_bytes(gzip.compress(b"case,model,passed,text\n" + row, 1))
    return ["import", "s.csv.gz", "--run", "run"]


@pytest.mark.parametrize("bomb", [lists, samples, replay, one_line, one_cell])
def test_a_bomb_is_refused_in_bounded_memory(tmp_path: Path, bomb: Callable[[Path], list[str]]) -> None:
    words = bomb(tmp_path)

    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *words],
        cwd=tmp_path,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2, done.stderr
    assert "error: s." in done.stderr
    assert int(done.stdout.split()[-1]) < MOST_MEMORY
