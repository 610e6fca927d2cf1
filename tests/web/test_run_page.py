"""The page of a run: what its filters send, and that all its figures are of the same samples."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from steelyard.store.run.manifest import write_manifest
from tests.web.runs import add_rows, make_run, outcome, plain_texts, sample
from tests.web.site import Site, site


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [("subject", "m/we\u3000ak@T0", 2), ("tag", "dev \U0001f469\u200d\U0001f4bb", 2)],
)
def test_a_choice_of_the_form_finds_its_cases_whatever_its_name(
    tmp_path: Path, name: str, text: str, rows: int
) -> None:
    texts = {"tag": "dev \U0001f469\u200d\U0001f4bb"}
    make_run(tmp_path / "one", cases=2, models=("m/good", "m/we\u3000ak"), texts=texts)
    with site(tmp_path / "one") as running:
        run = f"/r/{running.run_id('one')}"
        [choices] = re.findall(rf'<select name="{name}">(.*?)</select>', running.page(run))
        sent = [unescape(value) for value in re.findall(r'<option value="([^"]*)"', choices)]
        page = running.page(f"{run}?{urlencode({name: sent[-1]})}")

    assert sent[-1] == text
    assert f"Rows 1 to {rows} of {rows} " in page


def test_a_cost_that_is_partly_known_is_a_lower_bound_everywhere(tmp_path: Path) -> None:
    store = make_run(tmp_path / "one", cases=1, samples=0, models=("m",))
    [case], [subject] = store.manifest.cases, store.manifest.subjects
    said = plain_texts()
    generated = [sample((subject, case, attempt), said, is_good=True) for attempt in range(2)]
    generated[1] = replace(generated[1], cost_nano_usd=None)
    store.add_samples(generated, chunk="samples")
    store.add_outcomes([(one, outcome(said, is_good=True)) for one in generated], chunk="outcomes")
    with site(tmp_path / "one") as running:
        run = running.page(f"/r/{running.run_id('one')}")
        [link, *_] = re.findall(r'href="(/r/\w+/c/\d+)"', run)
        case_page = running.page(link)

    assert re.findall(r"[≥ ]*\$[0-9.]+", run) == ["≥ $0.0010"] * 3  # of the run, the subject and the case
    assert "≥ $0.0010 together" in case_page


def shown_figures(page: str) -> dict[str, str]:
    """Return the large figures of a page."""
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))


def test_a_run_names_its_eval_set(tmp_path: Path) -> None:
    make_run(tmp_path / "one", cases=1, texts={"eval_set": "small sums"})
    with site(tmp_path / "one") as running:
        page = running.ask(f"/r/{running.run_id('one')}").text

    assert "small sums" in page.partition("<h1")[0]


def test_all_figures_are_of_the_chosen_cases(looked_at: Site) -> None:
    run = f"/r/{looked_at.run_id('before')}"

    assert shown_figures(looked_at.page(run)) == {
        "subjects": "2",
        "cases": "3",
        "checked": "24",
        "cost of checked samples": "$0.0240",
    }
    assert shown_figures(looked_at.page(f"{run}?name=add-1&subject=m/weak@T0")) == {
        "subjects": "1",
        "selected cases": "1",
        "checked": "4",
        "cost of checked samples": "$0.0040",
    }


def test_honeypots_are_counted_apart_from_the_figures(tmp_path: Path) -> None:
    store = make_run(tmp_path / "one", samples=2, models=("m",), finish=False)
    *others, last = store.manifest.cases
    write_manifest(store.location, replace(store.manifest, cases=(*others, replace(last, honeypot=True))))
    add_rows(store, plain_texts(), range(2, 3), checked=False)
    with site(tmp_path / "one") as running:
        page = running.page(f"/r/{running.run_id('one')}")

    assert shown_figures(page) == {
        "subjects": "1",
        "cases": "2",
        "checked": "4",
        "waiting for a check": "2",
        "cost of checked samples": "$0.0040",
    }
    assert "Not included: 1 honeypot with 2 checked samples." in page


def test_a_run_with_a_stop_rule_waits_only_for_answers_that_were_generated(tmp_path: Path) -> None:
    store = make_run(tmp_path / "one", samples=1, models=("m",), finish=False)
    rule = replace(store.manifest, planned_samples=4, stop_rule="maximum=4,passes=1")
    write_manifest(store.location, rule)
    with site(tmp_path / "one") as running:
        run = f"/r/{running.run_id('one')}"
        page, waiting = running.page(run), running.page(f"{run}?status=waiting")

    assert shown_figures(page)["checked"] == "3"
    assert "No case matches this filter." in waiting
