"""The list of runs: what each came to, page by page, and a damaged run among whole ones."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.store.run.manifest import write_manifest
from steelyard.store.run.run_store import create_run
from steelyard.web.pages.runs import RUNS_SHOWN
from tests.store.run.small_run import generated, small_manifest, small_run
from tests.web.runs import make_run
from tests.web.site import site


def copies(folder: Path, number: int) -> None:
    make_run(folder / "run-00", cases=1, samples=1)
    for index in range(1, number):
        shutil.copytree(folder / "run-00", folder / f"run-{index:02d}")


def test_each_run_is_listed_with_its_pass_rate_and_cost(tmp_path: Path) -> None:
    make_run(tmp_path / "one")
    with site(tmp_path) as running:
        page = running.page("/runs")

    assert ">75 %</td>" in page
    assert ">$0.0240</td>" in page


def test_a_run_with_some_prices_costs_at_least_their_sum(tmp_path: Path) -> None:
    store = small_run(tmp_path / "one", small_manifest(models=1, cases=1), chunks=1)
    store.extend(planned_samples=4)
    [key] = store.pending()
    store.add_samples([generated(key, cost_nano_usd=None)], chunk="more")
    with site(tmp_path) as running:
        page = running.page("/runs")

    assert ">≥ $0.00000300</td>" in page
    assert ">3 of 4 checked</td>" in page


def test_a_honeypot_is_in_no_pass_rate(tmp_path: Path) -> None:
    store = make_run(tmp_path / "one", cases=2, models=("m/good", "m/weak"))
    first, second = store.manifest.cases
    write_manifest(store.location, replace(store.manifest, cases=(first, replace(second, honeypot=True))))
    run = steelyard.list_runs(tmp_path)[0]

    assert (run.checked, run.rated, run.passed) == (16, 8, 6)


def test_calls_without_an_answer_do_not_wait_for_a_check(tmp_path: Path) -> None:
    store = small_run(tmp_path / "one", small_manifest(models=1, cases=1), chunks=1)
    store.extend(planned_samples=5)
    errored, waiting = store.pending()
    store.add_samples([generated(errored, text="", error="no answer"), generated(waiting)], chunk="more")
    with site(tmp_path / "one") as running:
        run = running.viewer.run(running.run_id("one"))

        assert run.generated_and_checked() == (4, 3)


def test_checks_that_all_failed_by_our_own_error_are_no_unchecked_samples(tmp_path: Path) -> None:
    store = create_run(tmp_path / "one", small_manifest(models=1, cases=1, planned=1))
    samples = [generated(key) for key in store.pending()]
    store.add_samples(samples, chunk="all")
    broken = Outcome(facts=Facts(classification=Classification.ERROR), detail="the sandbox broke")
    store.add_outcomes([(one, broken) for one in samples], chunk="all")
    with site(tmp_path / "one") as running:
        page = running.page(f"/r/{running.run_id('one')}")

    assert "No result: every check ended in an infrastructure error." in page


def test_a_run_without_answers_has_neither(tmp_path: Path) -> None:
    make_run(tmp_path / "none", samples=0)
    with site(tmp_path) as running:
        page = running.page("/runs")

    assert "0 of 0" in page
    assert "%</td>" not in page


def test_a_long_list_comes_in_pages(tmp_path: Path) -> None:
    copies(tmp_path, RUNS_SHOWN + 2)
    with site(tmp_path) as running:
        first = running.page("/runs")
        last = running.page(f"/runs?start={RUNS_SHOWN}")

    assert first.count("data-row") == RUNS_SHOWN
    assert f"1 to {RUNS_SHOWN} of {RUNS_SHOWN + 2}" in first
    assert f'href="/runs?start={RUNS_SHOWN}"' in first
    assert last.count("data-row") == 2
    assert 'href="/runs" rel="prev"' in last


def test_a_page_behind_the_last_run_is_the_last(tmp_path: Path) -> None:
    make_run(tmp_path / "one")
    with site(tmp_path) as running:
        assert running.page("/runs?start=99").count("data-row") == 1


def test_a_damaged_table_does_not_hide_the_other_runs(tmp_path: Path) -> None:
    copies(tmp_path, 2)
    shutil.rmtree(tmp_path / "run-01" / "outcomes")
    with site(tmp_path) as running:
        page = running.page("/runs")

    assert page.count("data-row") == 1
    assert "run-01" in page
    assert "tone-bad" in page


@pytest.mark.parametrize("odd", ["[old]/x", "old/run.json"])
def test_an_odd_folder_does_not_hide_the_runs_beside_it(tmp_path: Path, odd: str) -> None:
    make_run(tmp_path / "one")
    (tmp_path / odd).mkdir(parents=True)
    with site(tmp_path) as running:
        page = running.page("/runs")
        running.page(f"/r/{running.run_id('one')}")

    assert page.count("data-row") == 1
    assert page.count("tone-bad") == 1


def test_a_search_that_fails_on_its_way_says_why(tmp_path: Path) -> None:
    make_run(tmp_path / "one")
    with site(tmp_path / "one") as running:
        run = running.run_id("one")
        running.page(f"/r/{run}")
        for file in (tmp_path / "one" / "samples").glob("*.parquet"):
            file.write_bytes(b"PAR1" + bytes(100) + b"PAR1")
        page = running.page(f"/r/{run}/search?words=return")

    assert 'class="tone-bad" role="alert"' in page
    assert "its 24 rows are missed" in page


def test_a_run_that_did_not_change_is_not_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(tmp_path / "one")
    with site(tmp_path) as running:
        running.page("/runs")
        monkeypatch.setattr("steelyard.app.view.run_view.FRESH_S", 0.0)
        monkeypatch.setattr("steelyard.store.run.table.DeltaTable", unwanted)
        assert "data-row" in running.page("/runs")


def unwanted(*_: object, **__: object) -> None:
    raise AssertionError("the table was opened again")


def test_of_many_runs_the_newest_are_listed_and_the_others_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.app.view.viewer.MOST_RUNS", 2)
    for name, day in (("a", 13), ("b", 11), ("c", 14), ("d", 12)):
        make_run(tmp_path / name, cases=1, samples=1, texts={"created_at": f"2026-11-{day}T00:00:00Z"})
    with site(tmp_path) as running:
        page = running.page("/runs")
        listed = [line.name for line in running.viewer.lines()]

    assert listed == ["c", "a"]
    assert page.count("data-row") == 2
    assert "2 older runs are not listed" in page


def test_of_many_runs_one_that_cannot_be_opened_is_listed_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.app.view.viewer.MOST_RUNS", 2)
    for name, day in (("a", 13), ("b", 11), ("c", 14)):
        make_run(tmp_path / name, cases=1, samples=1, texts={"created_at": f"2026-11-{day}T00:00:00Z"})
    whole = (tmp_path / "b" / "run.json").read_bytes()
    (tmp_path / "b" / "run.json").write_bytes(whole[:20])
    with site(tmp_path) as running:
        broken = {line.name: bool(line.problem) for line in running.viewer.lines()}
        (tmp_path / "b" / "run.json").write_bytes(whole)
        mended = [line.name for line in running.viewer.lines()]

    assert broken == {"b": True, "c": False}
    assert mended == ["c", "a"]
