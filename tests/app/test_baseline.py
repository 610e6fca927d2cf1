"""Reports kept under names: what is kept comes back whole, and a wrong name says which there are."""

import shutil
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

import steelyard
from steelyard.app.baseline import (
    describe_source,
    find_report,
    has_baseline,
    list_baselines,
    read_baseline,
    require_kept_run,
    set_baseline,
)
from steelyard.errors import InputError, UserError
from steelyard.render.json import JsonRenderer
from tests.analysis.runs import run
from tests.web.runs import make_run

EARLY = datetime(2026, 11, 15, 9, 30, 5, tzinfo=UTC)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    path.write_text(JsonRenderer().render(run([(5, 5), (5, 2)])), encoding="utf-8")
    return path


def test_what_is_kept_comes_back_whole(saved: Path, tmp_path: Path) -> None:
    kept = set_baseline("main", saved, baselines=tmp_path / "kept", note="abc", now=EARLY)

    assert read_baseline("main", baselines=tmp_path / "kept") == kept
    assert (kept.kept_at, kept.source, kept.note) == ("2026-11-15T09:30:05Z", str(saved), "abc")
    assert kept.report == run([(5, 5), (5, 2)])


def test_the_time_is_kept_in_utc_and_one_without_a_zone_is_refused(saved: Path, tmp_path: Path) -> None:
    tokyo = datetime(2026, 1, 1, 10, tzinfo=timezone(timedelta(hours=9)))

    assert set_baseline("main", saved, baselines=tmp_path, now=tokyo).kept_at == "2026-01-01T01:00:00Z"
    with pytest.raises(UserError, match="zone"):
        set_baseline("main", saved, baselines=tmp_path, now=tokyo.replace(tzinfo=None))


def test_a_baseline_whose_run_was_replaced_is_refused_where_its_run_is_wanted(tmp_path: Path) -> None:
    """The run that is there now may be that of the change itself."""
    place = tmp_path / "current"
    make_run(place, cases=1, samples=1)
    set_baseline("main", place, baselines=tmp_path / "kept")
    require_kept_run("main", baselines=tmp_path / "kept")
    shutil.rmtree(place)
    make_run(place, cases=1, samples=1, texts={"id": "another"})

    with pytest.raises(InputError, match="baseline"):
        require_kept_run("main", baselines=tmp_path / "kept")


def test_a_name_that_is_taken_stands_for_the_newer_report(saved: Path, tmp_path: Path) -> None:
    set_baseline("main", saved, baselines=tmp_path)
    saved.write_text(JsonRenderer().render(run([(1, 1)])), encoding="utf-8")
    set_baseline("main", saved, baselines=tmp_path)

    assert read_baseline("main", baselines=tmp_path).report == run([(1, 1)])


def test_baselines_are_listed_in_the_order_of_their_names(saved: Path, tmp_path: Path) -> None:
    place = tmp_path / "kept"
    for name in ("release-2", "main", "release-1"):
        set_baseline(name, saved, baselines=place)
    (place / "notes.txt").write_text("not ours", encoding="utf-8")

    assert [kept.name for kept in list_baselines(place)] == ["main", "release-1", "release-2"]
    assert has_baseline("main", baselines=place)
    assert not has_baseline("notes", baselines=place)


def test_a_place_that_does_not_exist_holds_none(tmp_path: Path) -> None:
    assert list(list_baselines(tmp_path / "nowhere")) == []
    with pytest.raises(InputError, match="`steelyard baseline set NAME RUN`"):
        read_baseline("main", baselines=tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["", "../main", "a/b", ".hidden", "a b", "x" * 101, "naïve", "main\n"])
def test_a_name_that_could_be_a_path_is_refused(name: str, saved: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="baseline"):
        set_baseline(name, saved, baselines=tmp_path / "kept")

    assert not (tmp_path / "kept").exists()


def test_a_name_is_found_where_there_is_no_such_file(saved: Path, tmp_path: Path) -> None:
    set_baseline("main", saved, baselines=tmp_path)

    assert find_report("main", baselines=tmp_path) == (run([(5, 5), (5, 2)]), str(saved))
    assert find_report(str(saved), baselines=tmp_path) == (run([(5, 5), (5, 2)]), str(saved))


def test_a_file_of_that_name_comes_before_a_baseline(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    set_baseline("main", saved)
    Path("main").write_text(JsonRenderer().render(run([(1, 1)])), encoding="utf-8")

    assert find_report("main") == (run([(1, 1)]), "main")


def test_a_misspelt_name_says_which_there_are(saved: Path, tmp_path: Path) -> None:
    set_baseline("main", saved, baselines=tmp_path)

    with pytest.raises(InputError, match=r"mian.*report.*kept.*main"):
        find_report("mian", baselines=tmp_path)


def test_a_path_that_is_no_name_is_told_as_a_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="file"):
        find_report(str(tmp_path / "absent.json"), baselines=tmp_path)


def test_a_damaged_baseline_is_refused_with_its_file(saved: Path, tmp_path: Path) -> None:
    set_baseline("main", saved, baselines=tmp_path / "kept")
    file = tmp_path / "kept" / "main.json"
    file.write_text(file.read_text(encoding="utf-8").replace('"c": 5', '"c": 6'), encoding="utf-8")

    with pytest.raises(InputError, match=r"main\.json: this baseline cannot be read\n.*c = 6 and n = 5"):
        read_baseline("main", baselines=tmp_path / "kept")


def test_a_report_is_not_taken_for_a_baseline(saved: Path, tmp_path: Path) -> None:
    (tmp_path / "main.json").write_bytes(saved.read_bytes())

    with pytest.raises(InputError, match=r"steelyard\.baseline/1"):
        steelyard.read_baseline("main", baselines=tmp_path)


def test_what_a_report_was_made_of_is_described(saved: Path, tmp_path: Path) -> None:
    outcomes = tmp_path / "o.csv"
    outcomes.write_text("task,ok\na,1\n", encoding="utf-8")
    steelyard.import_files(outcomes, tmp_path / "run")
    set_baseline("main", saved, baselines=tmp_path / "kept", now=EARLY)

    described = [describe_source(place) for place in (saved, outcomes, tmp_path / "run")]

    assert described == [f"{saved} (report)", f"{outcomes} (outcomes)", f"{tmp_path / 'run'} (run)"]
    kept = describe_source("main", baselines=tmp_path / "kept")
    assert kept == f"main (kept from {saved})"


def test_a_folder_that_is_no_run_does_not_hide_a_baseline_of_its_name(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    set_baseline("main", saved, baselines="kept", now=EARLY)
    (tmp_path / "main").mkdir()

    assert find_report("main", baselines="kept")[1] == str(saved)
    assert describe_source("main", baselines="kept") == f"main (kept from {saved})"
