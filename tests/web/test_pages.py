"""What each further page shows: search, matrix, comparison, verdict, report, marks, and live runs."""

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

import steelyard
from steelyard.model.run import Subject
from tests.web.runs import add_rows, make_run, plain_texts
from tests.web.site import Site, site


def keys_of(site: Site, run: str) -> list[str]:
    """Return the keys of the cases on the first page of a run."""
    page = site.page(f"/r/{site.run_id(run)}")
    return list(dict.fromkeys(re.findall(r"/c/(\d+)", page)))


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Site]:
    """Serve a run that a test may write to."""
    make_run(tmp_path / "own", cases=2, finish=False)
    with site(tmp_path / "own") as running:
        yield running


def test_a_search_finds_words_in_answers_whatever_their_case_and_says_its_scope(looked_at: Site) -> None:
    page = looked_at.page(f"/r/{looked_at.run_id('before')}/search?{urlencode({'words': 'RETURN a -'})}")

    assert page.count("data-row") == 6  # every second attempt of the weak model on three cases
    assert "<mark>return a -</mark>" in page
    assert "Search finished: 6 hits." in page
    assert "Searches all samples of the run" in page
    assert "searched 24 of 24 samples" in page


def test_a_search_in_the_output_of_checks_looks_nowhere_else(looked_at: Site) -> None:
    run = looked_at.run_id("before")

    assert "Search finished: 6 hits." in looked_at.page(f"/r/{run}/search?words=AssertionError&in=output")
    assert "Search finished: 0 hits." in looked_at.page(f"/r/{run}/search?words=AssertionError&in=answers")


def test_the_matrix_has_a_cell_for_every_subject(looked_at: Site) -> None:
    page = looked_at.page(f"/r/{looked_at.run_id('before')}/matrix")

    assert "3 of 3 matching cases" in page
    assert page.count(">4/4</a>") == 3
    assert page.count(">2/4</a>") == 3


def test_the_report_of_a_run_is_the_one_of_the_command(looked_at: Site) -> None:
    run = looked_at.viewer.run(looked_at.run_id("before"))

    assert run.report() == steelyard.report_run(run.address)
    assert "How samples failed" in looked_at.page(f"/r/{run.id}/report")


def test_two_runs_are_compared_with_their_changed_cases_on_top(looked_at: Site) -> None:
    before, after = looked_at.run_id("before"), looked_at.run_id("deep/after")

    page = looked_at.page(f"/compare?before={before}&after={after}")

    assert "Cases that changed" in page
    assert page.index("Cases that changed") < page.index('id="change"')
    assert "m/good" in page
    assert re.search(r"p (?:=|&lt;) 0", page)
    sides = re.findall(r'href="(/sides\?[^"]+)"', page)[0].replace("&amp;", "&")
    shown = looked_at.page(sides)
    assert "return a - b" in shown
    assert "side by side" in shown


def test_two_subjects_of_one_run_are_compared(looked_at: Site) -> None:
    run = looked_at.run_id("before")
    query = urlencode({"before": run, "after": run, "a": "m/good@T0", "b": "m/weak@T0"})

    page = looked_at.page(f"/compare?{query}")

    assert "3 of 3: regressions first" in page


def test_the_verdict_of_a_gate_opens_with_the_way_to_the_cases(tmp_path: Path) -> None:
    make_run(tmp_path / "old", texts={"created_at": "2026-11-14T00:00:00Z"})
    make_run(tmp_path / "new", models=("m/weak", "m/good"))
    verdict = steelyard.gate(tmp_path / "old", tmp_path / "new")
    steelyard.write_result(verdict, tmp_path / "gate.json")
    with site(tmp_path / "gate.json", tmp_path / "old", tmp_path / "new") as running:
        page = running.page("/")

        assert "verdict" in page
        link = re.findall(r'href="(/compare\?[^"]+)"', page)[0].replace("&amp;", "&")
        assert "Cases that changed" in running.page(link)


def test_the_verdict_of_a_gate_compares_the_runs_in_the_order_in_which_they_were_named(
    tmp_path: Path,
) -> None:
    make_run(tmp_path / "newer", texts={"created_at": "2026-11-16T00:00:00Z"})
    make_run(tmp_path / "older")
    steelyard.write_result(steelyard.gate(tmp_path / "newer", tmp_path / "older"), tmp_path / "gate.json")
    with site(tmp_path / "gate.json", tmp_path / "newer", tmp_path / "older") as running:
        before, after = running.run_id("newer"), running.run_id("older")
        assert f'href="/compare?before={before}&amp;after={after}"' in running.page("/")
    with site(tmp_path / "gate.json", tmp_path) as running:
        page = running.page("/")
        assert "/compare?" not in page
        assert "steelyard view gate.json BASELINE CURRENT" in page


def test_a_changed_case_names_its_tier_where_there_are_several(tmp_path: Path) -> None:
    for name, models in (("old", ("m/good", "m/weak")), ("new", ("m/weak", "m/good"))):
        store = make_run(tmp_path / name, models=models)
        tiers = tuple(Subject(model=one.model, tier="T1") for one in store.manifest.subjects)
        store.extend(subjects=tiers)
    with site(tmp_path) as running:
        query = urlencode({"before": running.run_id("old"), "after": running.run_id("new")})
        page = running.page(f"/compare?{query}")

    assert '<span class="tier"> <bdi>T0</bdi></span>' in page


def test_the_history_of_baselines_opens_beside_the_runs(tmp_path: Path) -> None:
    make_run(tmp_path / "runs" / "one")
    (tmp_path / "runs" / "gate.json").write_text("{}", encoding="utf-8")  # no baseline, and no harm
    for name in ("first", "second"):
        steelyard.set_baseline(name, tmp_path / "runs" / "one", baselines=tmp_path / "kept")
    with site(tmp_path / "runs", tmp_path / "kept") as running:
        assert 'href="/history"' in running.page("/runs")
        page = running.page("/history")
        assert "m/weak" in page
        assert "second" in page
    with site(tmp_path / "runs") as running:
        assert 'href="/history"' not in running.page("/runs")
        assert running.ask("/history").status == 404


def test_a_mark_is_kept_beside_the_run_and_exported(own: Site) -> None:
    run, key = own.viewer.run(own.run_id("own")), keys_of(own, "own")[0]

    answer = own.post(f"/r/{run.id}/c/{key}/1/marks", urlencode({"label": "wrong", "note": "minus <b>"}))
    own.post(f"/r/{run.id}/c/{key}/1/marks", urlencode({"label": "note", "note": "twice"}))

    assert answer.status == 303
    assert "minus &lt;b&gt;" in own.page(answer.headers["location"])
    assert "2 marks" in own.page(f"/r/{run.id}/marks")
    kept = [json.loads(line) for line in (Path(run.address) / "marks.jsonl").read_text().splitlines()]
    assert [(mark["label"], mark["attempt"], mark["case"]) for mark in kept] == [
        ("wrong", 1, "add-0"),
        ("note", 1, "add-0"),
    ]
    assert all(mark["author"] and mark["at"] for mark in kept)
    exported = own.ask(f"/r/{run.id}/marks.jsonl").text
    assert [json.loads(line) for line in exported.splitlines()] == kept


def test_samples_are_rated_without_seeing_the_model_or_the_verdict(own: Site) -> None:
    run = f"/r/{own.run_id('own')}"
    for left in range(16, 0, -1):
        page = own.page(f"{run}/blind")
        assert f"{16 - left} of 16 rated" in page
        answer = re.sub("<[^>]*>", "", page)
        assert "return a" in answer
        for hidden in ("m/good", "m/weak", "AssertionError", "assert add(1, 2)", "k-pass", "k-fail", "req-1"):
            assert hidden not in page
            assert hidden not in answer
        form = {name: re.findall(f'name="{name}" value="([0-9]+)"', page)[0] for name in ("key", "attempt")}
        label = "wrong" if "a - b" in answer else "right"
        assert own.post(f"{run}/blind", urlencode({**form, "label": label, "note": ""})).status == 303

    assert "and the checks agree on 100" in own.page(f"{run}/blind")
    assert "and the checks agree on 100" in own.page(f"{run}/marks")


def test_the_blind_queue_takes_no_sample_that_is_not_there(own: Site) -> None:
    run = f"/r/{own.run_id('own')}"

    for form in ({}, {"key": "1", "attempt": "0"}, {"key": "x", "attempt": "0"}):
        assert own.post(f"{run}/blind", urlencode({**form, "label": "right"})).status == 404
    assert "0 marks" in own.page(f"{run}/marks")


@pytest.mark.parametrize("amount", ["-1", "1e3", "x", "1" * 16, "nan"])
def test_an_amount_that_is_no_number_is_refused(own: Site, amount: str) -> None:
    run = f"/r/{own.run_id('own')}"

    assert own.ask(f"{run}?{urlencode({'cost': amount})}").status == 404
    assert "No case matches" in own.page(f"{run}?latency=99.5")
    assert 'value="99.5"' in own.page(f"{run}?latency=99.5")


@pytest.mark.parametrize("form", [{"label": "x", "note": ""}, {"label": "note", "note": "y" * 3_000}])
def test_a_mark_that_makes_no_sense_is_refused(own: Site, form: dict[str, str]) -> None:
    run, key = own.viewer.run(own.run_id("own")), keys_of(own, "own")[0]

    assert own.post(f"/r/{run.id}/c/{key}/1/marks", urlencode(form)).status == 404
    assert own.post(f"/r/{run.id}/c/{key}/77/marks", "label=note&note=x").status == 404
    assert not (Path(run.address) / "marks.jsonl").exists()


def test_a_page_hears_about_a_commit_and_then_shows_it(tmp_path: Path) -> None:
    store = make_run(tmp_path / "live", cases=1, samples=4, finish=False)
    store.extend(planned_samples=6)
    with site(tmp_path / "live") as running:
        run = running.run_id("live")
        assert "8 of 12" in running.page(f"/r/{run}")
        connection = http.client.HTTPConnection("127.0.0.1", running.access.port, timeout=60)
        connection.request("GET", f"/r/{run}/events", headers=running.cookie())
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 2000\n"

        add_rows(store, plain_texts(), range(4, 6))

        lines = iter(stream.readline, b"")
        assert next(line for line in lines if line.startswith(b"event")) == b"event: changed\n"
        stream.close()
        connection.close()
        page = running.page(f"/r/{run}")
        while "8 of 12" in page or "10 of 12" in page:  # the state of a second ago may be shown once more
            page = running.page(f"/r/{run}")
        assert "3 of 6" in page


def test_answers_that_wait_for_their_check_are_counted(tmp_path: Path) -> None:
    store = make_run(tmp_path / "half", cases=1, samples=2, finish=False)
    add_rows(store, plain_texts(), range(2, 4), checked=False)
    with site(tmp_path / "half") as running:
        assert "waiting for a check" in running.page(f"/r/{running.run_id('half')}")
        key = keys_of(running, "half")[0]
        assert "not checked yet" in running.page(f"/r/{running.run_id('half')}/c/{key}")
