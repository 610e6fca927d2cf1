"""A file of a dataset comes from the hub; here from a server on loopback, in a process of its own.

The library reads HF_ENDPOINT when it is imported, so each test starts Python anew.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources.benchmark_data.hub_server import hub

pytest.importorskip("huggingface_hub")
ADDRESS = "/datasets/owner/tasks/resolve/rev1/data/tasks.jsonl"
FETCH = (
    "import sys; from pathlib import Path; from steelyard.sources.benchmark_data.hub import fetch_from_hub; "
    "print(fetch_from_hub('owner/tasks', sys.argv[2], revision='rev1', folder=Path(sys.argv[1])))"
)


def fetched(endpoint: str, folder: Path, path: str) -> "subprocess.CompletedProcess[str]":
    surroundings = {**os.environ, "HF_ENDPOINT": endpoint, "HF_HOME": str(folder / "home")}
    surroundings["HF_HUB_DISABLE_TELEMETRY"] = "1"
    words = [sys.executable, "-c", FETCH, str(folder), path]
    return subprocess.run(words, env=surroundings, capture_output=True, text=True, check=False)


def test_a_file_comes_from_the_hub_at_its_revision(tmp_path: Path) -> None:
    with hub({ADDRESS: b'{"id": 1}\n'}) as (endpoint, asked):
        ended = fetched(endpoint, tmp_path, "data/tasks.jsonl")

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() == str(tmp_path / "tasks.jsonl")
    assert (tmp_path / "tasks.jsonl").read_bytes() == b'{"id": 1}\n'
    assert {line.split()[1] for line in asked} == {ADDRESS}


@pytest.mark.parametrize("serves", [True, False])
def test_what_the_hub_does_not_give_is_said_with_what_to_do(tmp_path: Path, *, serves: bool) -> None:
    with hub({}) as (endpoint, _):
        ended = fetched(endpoint if serves else "http://127.0.0.1:9", tmp_path, "data/tasks.jsonl")

    assert ended.returncode == 1
    assert "data/tasks.jsonl at rev1" in ended.stderr
    assert "--benchmark-data FILE" in ended.stderr


def test_without_the_library_the_extra_is_named(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden" / "huggingface_hub"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ImportError\n", encoding="utf-8")
    surroundings = {**os.environ, "PYTHONPATH": str(tmp_path / "hidden")}

    words = [sys.executable, "-c", FETCH, str(tmp_path), "tasks.jsonl"]
    ended = subprocess.run(words, env=surroundings, capture_output=True, text=True, check=False)

    assert "pip install '.[hub]' in the checkout of Steelyard" in ended.stderr
