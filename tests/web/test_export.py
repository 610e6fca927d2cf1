"""Exported pages need no server: every link leads to a file, and nothing is loaded."""

import re
import shutil
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import steelyard
from steelyard.app.view.run_view import RunView
from steelyard.app.view.viewer import open_viewer
from steelyard.errors import InputError, UserError
from steelyard.model.viewing import CaseFilter
from steelyard.store.run.manifest import write_manifest
from steelyard.web import export
from steelyard.web.export import export_pages
from steelyard.web.links import ListRequest
from steelyard.web.pages.case import case_page
from tests.commands import written
from tests.web.runs import make_run


def test_a_run_is_exported_with_its_failed_samples(tmp_path: Path) -> None:
    make_run(tmp_path / "runs" / "one", cases=2)
    viewer = open_viewer(tmp_path / "runs" / "one")

    number = export_pages(viewer, tmp_path / "out", samples=3)
    viewer.close()

    files = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert len(files) == number
    assert "subjects pass" in files["index.html"]
    assert len([name for name in files if re.fullmatch(r"r-\w+-c-\d+-\d+\.html", name)]) == 3
    for page in files.values():
        linked = re.findall(r' href="([^"]*)"', page)
        assert [link for link in linked if not link.startswith("#") and link not in files] == []
        assert "<form" not in page
        tabs = re.findall(r'<div class="tabs">(.*?)</div>', page)
        assert [tab for tab in tabs if "<a" in tab.replace("<a href=", "")] == []
        assert 'src="' not in page
        assert "default-src 'none'" in unescape(page)


def test_marks_are_exported_with_their_samples(tmp_path: Path) -> None:
    make_run(tmp_path / "one", cases=1)
    viewer = open_viewer(tmp_path / "one")
    run = viewer.single
    assert run is not None
    failed = next(row for row in run.matrix(CaseFilter(), after=None, size=1)[0] if row.c < row.n)
    run.mark(failed.key, 1, label="wrong", note="minus for plus")

    export_pages(viewer, tmp_path / "out", samples=2)
    viewer.close()

    marked = (tmp_path / "out" / f"r-{run.id}-c-{failed.key}-1.html").read_text(encoding="utf-8")
    assert "minus for plus" in marked
    assert "minus for plus" in (tmp_path / "out" / f"r-{run.id}-marks.html").read_text(encoding="utf-8")


def test_two_runs_are_exported_with_their_comparison(tmp_path: Path) -> None:
    make_run(tmp_path / "runs" / "old", cases=2, texts={"created_at": "2026-11-14T00:00:00Z"})
    make_run(tmp_path / "runs" / "new", cases=2, models=("m/weak", "m/good"))
    viewer = open_viewer(tmp_path / "runs")

    export_pages(viewer, tmp_path / "out", samples=1)
    viewer.close()

    names = [path.name for path in (tmp_path / "out").iterdir()]
    [compared] = [name for name in names if name.startswith("compare-")]
    assert [name for name in names if name.startswith("sides-")]
    assert f'href="{compared}"' in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_a_folder_with_files_in_it_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    make_run(tmp_path / "one", cases=1)
    written(tmp_path / "out", "answers of an earlier export", "r-0-c-1-2.html")
    viewer = open_viewer(tmp_path / "one")

    with pytest.raises(UserError, match=r"out.*Remove"):
        export_pages(viewer, tmp_path / "out", samples=1)
    viewer.close()

    assert [path.name for path in (tmp_path / "out").iterdir()] == ["r-0-c-1-2.html"]


def test_an_empty_folder_is_taken_and_a_file_is_not(tmp_path: Path) -> None:
    make_run(tmp_path / "one", cases=1)
    (tmp_path / "out").mkdir()
    viewer = open_viewer(tmp_path / "one")

    assert export_pages(viewer, tmp_path / "out", samples=1)
    with pytest.raises(InputError, match="cannot be written"):
        export_pages(viewer, written(tmp_path, "text", "file"), samples=1)
    viewer.close()


def test_a_page_is_written_before_the_next_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_run(tmp_path / "one", cases=2, models=("m",))
    viewer = open_viewer(tmp_path / "one")
    written_before = list[int]()

    def counting(run: RunView, key: int, shown: ListRequest, *, start: int) -> str:
        written_before.append(len(list((tmp_path / "out").iterdir())))
        return case_page(run, key, shown, start=start)

    monkeypatch.setattr(export, "case_page", counting)
    export_pages(viewer, tmp_path / "out", samples=0)
    viewer.close()

    assert written_before == [3, 4]  # the list of runs, the run and its report come first


def test_runs_of_the_same_second_are_exported_with_links_that_lead_somewhere(tmp_path: Path) -> None:
    make_run(tmp_path / "old", cases=2)
    make_run(tmp_path / "new", cases=2, models=("m/weak", "m/good"))
    steelyard.write_result(steelyard.gate(tmp_path / "old", tmp_path / "new"), tmp_path / "gate.json")
    viewer = open_viewer(tmp_path / "gate.json", [tmp_path / "old", tmp_path / "new"])

    export_pages(viewer, tmp_path / "out", samples=1)
    viewer.close()

    first = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    [link] = re.findall(r'href="(compare-[^"]+)"', first)
    assert "</bdi> passes 50&nbsp;%, before 100&nbsp;%" in (tmp_path / "out" / link).read_text(
        encoding="utf-8"
    )


def test_a_damaged_run_does_not_keep_the_others_from_being_exported(tmp_path: Path) -> None:
    for name in ("whole", "broken"):
        make_run(tmp_path / "runs" / name, cases=1)
    shutil.rmtree(tmp_path / "runs" / "broken" / "outcomes")
    viewer = open_viewer(tmp_path / "runs")

    export_pages(viewer, tmp_path / "out", samples=1)
    viewer.close()

    listed = (tmp_path / "out" / "runs.html").read_text(encoding="utf-8")
    assert "tone-bad" in listed
    names = [path.name for path in (tmp_path / "out").iterdir()]
    assert len([name for name in names if re.fullmatch(r"r-\w+\.html", name)]) == 1


def test_two_runs_that_cannot_be_compared_are_exported_each_by_itself(tmp_path: Path) -> None:
    make_run(tmp_path / "runs" / "one", cases=1)
    other = make_run(tmp_path / "runs" / "two", cases=1)
    rule = replace(other.manifest.scoring, version=0)
    write_manifest(other.location, replace(other.manifest, scoring=rule))
    viewer = open_viewer(tmp_path / "runs")

    export_pages(viewer, tmp_path / "out", samples=1)
    viewer.close()

    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert len([name for name in names if re.fullmatch(r"r-\w+\.html", name)]) == 2
    assert not [name for name in names if name.startswith("compare")]
