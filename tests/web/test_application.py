"""Every view is an address that renders whole on the server."""

import re
from pathlib import Path

import pytest

from tests.web.runs import make_run, plain_texts
from tests.web.site import Site, site


def links(page: str, pattern: str) -> list[str]:
    """Return the addresses in a page that match, each once."""
    return list(dict.fromkeys(re.findall(rf'href="({pattern})"', page)))


def case_link(site: Site, run: str = "before", place: int = 0) -> str:
    """Return the address of a case in the list of a run."""
    return links(site.page(f"/r/{site.run_id(run)}"), r"/r/\w+/c/\d+")[place]


def test_the_first_page_lists_the_runs_of_a_folder_and_below_it(looked_at: Site) -> None:
    page = looked_at.page("/")

    assert "before" in page
    assert "deep/after" in page


def test_a_run_that_was_opened_alone_is_the_first_page(tmp_path: Path) -> None:
    make_run(tmp_path / "one")
    with site(tmp_path / "one") as running:
        found = running.ask("/")

        assert found.status == 303
        assert "m/good" in running.page(found.headers["location"])


def test_a_run_shows_its_subjects_with_intervals_and_its_cases(looked_at: Site) -> None:
    page = looked_at.page(f"/r/{looked_at.run_id('before')}")

    assert "2 subjects pass 50.0 % to 100 %." in page
    assert "50.0 %" in page  # the weak one
    assert "95 % interval" in page
    assert "Rows 1 to 6 of 6." in page
    assert "2 of 4" in page


def test_a_filtered_list_says_how_many_match_and_that_the_part_was_picked(looked_at: Site) -> None:
    run = looked_at.run_id("before")

    page = looked_at.page(f"/r/{run}?status=mixed")

    assert "Rows 1 to 3 of 3 (of 6 in the run)." in page
    assert "selected after the fact" in page


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("subject=m/weak@T0", 3),
        ("kind=fail", 3),
        ("kind=timeout", 0),
        ("tag=easy", 4),
        ("name=ADD-1", 2),
        ("suite=sums", 6),
        ("status=solved", 3),
        ("status=waiting", 0),
        ("order=rate", 6),
    ],
)
def test_filters_choose_cases(looked_at: Site, query: str, rows: int) -> None:
    page = looked_at.page(f"/r/{looked_at.run_id('before')}?{query}")

    assert page.count("data-row") == rows


def test_a_filter_that_nobody_knows_is_refused_with_the_known_ones(looked_at: Site) -> None:
    found = looked_at.ask(f"/r/{looked_at.run_id('before')}?status=tired")

    assert found.status == 404
    assert "expected one of unsolved, solved" in found.text


def test_a_case_folds_equal_answers(looked_at: Site) -> None:
    page = looked_at.page(case_link(looked_at, place=1))

    assert "2 different answers" in page
    assert page.count("\N{MULTIPLICATION SIGN} 2") == 2
    assert "Add two numbers." in page


def test_a_sample_shows_prompt_answer_check_and_costs(looked_at: Site) -> None:
    page = looked_at.page(f"{case_link(looked_at, place=1)}/1")

    for said in (
        "Add two numbers.",
        "Be brief.",
        "notes.txt",
        "3 of 5 passed",
        "$0.0010",
        "integrity",
    ):
        assert said in page
    assert 'href="#T2">line 2</a>' in page
    assert 'id="T2"' in page
    assert "Answer, as extracted" in page
    assert "The same answer as in attempt 3." in page


def test_a_sample_is_compared_with_the_reference_and_with_another_attempt(looked_at: Site) -> None:
    page = looked_at.page(f"{case_link(looked_at, place=1)}/1?with=2")

    assert "Difference to attempt 2" in page
    assert "<del>    return a - b</del>" in page
    assert "<ins>    return a + b</ins>" in page
    assert "<ins>    return b + a</ins>" in page


def test_an_answer_can_be_downloaded_as_it_is(looked_at: Site) -> None:
    found = looked_at.ask(f"{case_link(looked_at)}/0/answer.txt")

    assert found.text == plain_texts()["answer"]
    assert found.headers["content-disposition"].startswith("attachment")


def test_a_long_answer_is_cut_with_a_note_and_whole_on_request(tmp_path: Path) -> None:
    make_run(tmp_path / "long", cases=1, texts={"answer": "x" * 150_000 + "END"})
    with site(tmp_path / "long") as running:
        sample = f"{case_link(running, 'long')}/0"

        assert "The first 100,000 of 150,003 characters." in running.page(sample)
        assert "END" not in running.page(sample)
        assert "END" in running.page(f"{sample}?whole=1")


def test_pages_of_the_list_follow_one_another_without_gap_or_overlap(tmp_path: Path) -> None:
    make_run(tmp_path / "many", cases=60, samples=1)
    with site(tmp_path / "many") as running:
        run = running.run_id("many")
        address, seen = f"/r/{run}?order=rate", list[str]()
        for _ in range(3):
            page = running.page(address)
            seen += links(page, r"/r/\w+/c/\d+[^\"]*")
            following = re.search(r'href="([^"]+)" rel="next"', page)
            address = f"/r/{run}{following[1].replace('&amp;', '&')}" if following else ""

        assert not address
        assert len(seen) == len(set(seen)) == 120

        last = running.page(f"/r/{run}?order=rate&before={seen[50].split('/c/')[1].partition('?')[0]}")
        assert links(last, r"/r/\w+/c/\d+[^\"]*") == seen[:50]


@pytest.mark.parametrize("path", ["/r/nothing", "/r/nothing/c/1", "/x", "/assets/nothing.css"])
def test_what_is_not_there_is_said_so(looked_at: Site, path: str) -> None:
    assert looked_at.ask(path).status == 404


def test_a_run_without_answers_opens(tmp_path: Path) -> None:
    store = make_run(tmp_path / "bare", finish=False)
    store.samples.forget("true")
    with site(tmp_path / "bare") as running:
        page = running.page(f"{case_link(running, 'bare')}/0")

        assert "This run has no text of the answer" in page


def test_the_page_of_a_late_attempt_leads_to_the_failures_beside_it(tmp_path: Path) -> None:
    make_run(tmp_path / "one", cases=1, samples=70, models=("m/good", "m/weak"))
    with site(tmp_path / "one") as running:
        weak = case_link(running, "one", place=1)
        page = running.page(f"{weak}/65")

    assert f'href="{weak}/63" id="previous-failure"' in page
    assert f'href="{weak}/67" id="next-failure"' in page
