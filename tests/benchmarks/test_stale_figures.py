"""Figures are stale when a package that they measure changed after their commit."""

import json
import subprocess
from pathlib import Path

import pytest

from scripts.measured_at import DATA
from scripts.stale_figures import FIGURES, MEASURED, PACKAGES, script_of, stale_figures

MADE_BY = {"speed": ("fast", "store"), "size": ("large",)}


def git(repository: Path, *words: str) -> str:
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    ended = subprocess.run(
        ["git", *author, *words], cwd=repository, capture_output=True, text=True, check=True
    )
    return ended.stdout.strip()


def write(repository: Path, name: Path, text: str) -> None:
    (repository / name).parent.mkdir(parents=True, exist_ok=True)
    (repository / name).write_text(text, encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    for package in ("store", "large"):
        write(tmp_path, PACKAGES / package / "code.py", "1\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "measured")
    commit = git(tmp_path, "rev-parse", "--short", "HEAD")
    for script in MADE_BY:
        figure = {"made_by": f"python -m {script}", "rows": [{"commit": commit, "version": "0.1.0"}]}
        write(tmp_path, FIGURES / f"{script}.json", json.dumps(figure))
    return tmp_path


def test_no_figure_is_stale_while_nothing_changed(repository: Path) -> None:
    assert list(stale_figures(repository, MADE_BY)) == []


def test_only_the_figures_of_a_changed_package_are_listed(repository: Path) -> None:
    write(repository, PACKAGES / "store" / "code.py", "2\n")
    git(repository, "commit", "-qam", "changed")

    (line,) = stale_figures(repository, MADE_BY)

    assert line.startswith("speed.json ")
    assert "1 file changed" in line


def test_figures_of_an_unknown_commit_are_listed(repository: Path) -> None:
    figure = {"made_by": "python -m size", "commit": "0123456", "version": "0.1.0"}
    write(repository, FIGURES / "size.json", json.dumps(figure))

    (line,) = stale_figures(repository, MADE_BY)

    assert line.startswith("size.json 0123456 ")


def test_the_packages_of_every_figure_are_known_and_there() -> None:
    figures = [json.loads(file.read_text(encoding="utf-8")) for file in DATA.glob("*.json")]

    assert {script_of(figure["made_by"]) for figure in figures} == set(MEASURED)
    assert [
        name
        for names in MEASURED.values()
        for name in names
        if not (DATA.parents[2] / PACKAGES / name).is_dir()
    ] == []
