"""Every figure on a page names the commit it was measured at."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from scripts.measured_at import DATA, caption, stamp, stamps
from steelyard.model.version import VERSION

FILES = sorted(DATA.glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_figure_was_measured_at_a_whole_commit(file: Path) -> None:
    found = list(stamps(json.loads(file.read_text(encoding="utf-8"))))

    assert found, "keep the figures with `--keep` of their script"
    assert [each for each in found if not re.fullmatch("[0-9a-f]{7,40}", each["commit"])] == []


@pytest.mark.parametrize(("file", "group"), [("run-store", "sizes"), ("runner", "sides")])
def test_figures_that_are_measured_one_by_one_have_a_stamp_each(file: str, group: str) -> None:
    parts = json.loads((DATA / f"{file}.json").read_text(encoding="utf-8"))[group]

    for part in parts.values() if isinstance(parts, dict) else parts:
        assert {"commit", "version"} <= set(part)


def test_the_stamp_of_today_names_a_commit_and_the_version() -> None:
    now = stamp()

    assert re.fullmatch("[0-9a-f]{7,40}(-dirty)?", now["commit"])
    assert now["version"] == VERSION
    assert list(stamps({"sides": {"a": {**now, "seconds": 1}}, "list": [{"none": 0}]})) == [now]


def test_changed_documents_leave_a_stamp_whole_and_changed_code_does_not(tmp_path: Path) -> None:
    for name in ("docs/figures.json", "src/code.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("1", encoding="utf-8")
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), (*author, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)

    (tmp_path / "docs/figures.json").write_text("2", encoding="utf-8")
    after_docs = stamp(tmp_path)["commit"]
    (tmp_path / "src/code.py").write_text("2", encoding="utf-8")

    assert re.fullmatch("[0-9a-f]{7,40}", after_docs)
    assert stamp(tmp_path)["commit"] == f"{after_docs}-dirty"


def test_the_caption_of_a_table_names_its_script_and_the_commit() -> None:
    text = caption("run-store", "open-run")

    assert text.startswith("Measured by `python -m perf.run_store` and `python -m perf.open_run` at")
    assert f"({VERSION})" in text
