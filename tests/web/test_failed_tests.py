"""The list and the page of a case are filtered by the name of a failed test, whatever the name holds."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.web.runs import make_run
from tests.web.site import Site, site
from tests.web.test_attacks import FOREIGN

NAME = "test_x[<script>alert(1)</script>'\"%_]"
TESTS = "def test_sum(): assert add(1, 2) == 3\ndef test_x(a): assert a\n"
DETAIL = f"test_sum: AssertionError [line 1: …]\n{NAME}: ValueError: no\nValueError: no name of a test"


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("failing")
    make_run(folder / "run", texts={"detail": DETAIL, "tests": TESTS})
    with site(folder / "run") as running:
        yield running


def listed(site: Site, **query: str) -> str:
    return site.page(f"/r/{site.run_id('run')}?{urlencode(query)}")


def weak_case(site: Site) -> str:
    page = listed(site, subject="m/weak@T0")
    return html.unescape(re.findall(r'href="(/r/[^"]+/c/\d+)', page)[0])


@pytest.mark.parametrize("name", ["test_sum", NAME])
def test_the_list_shows_the_cases_in_which_a_test_failed(failing: Site, name: str) -> None:
    page = listed(failing, failed=name)

    assert "Rows 1 to 3 of 3 (of 6 in the run)" in page
    assert f'name="failed" value="{html.escape(name)}"' in page.replace("&#34;", "&quot;").replace(
        "&#39;", "&#x27;"
    )
    assert "searched the output of 24 of 24 checks" in page or "progress" not in page
    assert "first 4,096 characters of an output" in page
    assert not FOREIGN.findall(page)


def test_filters_go_together_and_stay_in_the_links(failing: Site) -> None:
    assert "No case matches this filter." in listed(failing, failed="test_sum", subject="m/good@T0")
    assert "Rows 1 to 1 of 1" in listed(failing, failed="test_sum", name="add-1")
    page = listed(failing, failed=NAME)
    assert html.escape(urlencode({"failed": NAME})) in page
    matrix = failing.page(f"/r/{failing.run_id('run')}/matrix?{urlencode({'failed': 'test_sum'})}")
    assert "3 of 3 matching cases" in matrix


@pytest.mark.parametrize("name", ["test_su", "test_%", "test_sum\n", "' OR 1=1 --", "\0", "%", "x" * 1_000])
def test_only_the_whole_name_is_found(failing: Site, name: str) -> None:
    page = listed(failing, failed=name)

    assert "No sample has been checked yet" not in page
    assert ("of 3 (of 6" if name.strip() == "test_sum" else "No case matches this filter.") in page
    assert not FOREIGN.findall(page)


def test_a_name_that_is_too_long_is_refused_and_not_cut(failing: Site) -> None:
    answer = failing.ask(f"/r/{failing.run_id('run')}?{urlencode({'failed': 'x' * 1_001})}")

    assert answer.status == 404
    assert "at most 1,000 characters" in answer.text


def test_a_case_offers_its_failed_tests_and_lists_the_answers_that_failed_one(failing: Site) -> None:
    case = weak_case(failing)

    page = failing.page(case)
    offered = re.findall(r'<li><a href="([^"]*failed=[^"]*)"', page)
    filtered = failing.page(case + html.unescape(offered[1]))

    assert page.count("failed in 2 of 4 samples") == 2  # ValueError is no test
    assert "2 different answers" in page
    assert "1 different answer;" in filtered
    assert "Only answers that failed" in filtered
    assert "all cases in which it failed" in filtered
    assert not FOREIGN.findall(page + filtered)


def test_a_case_without_such_a_failure_says_so(failing: Site) -> None:
    page = failing.page(f"{weak_case(failing)}?{urlencode({'failed': 'test_gone'})}")

    assert "No answer failed this test." in page
    assert 'href="?"' in page  # the way back to all answers


def test_a_case_in_which_nothing_failed_offers_nothing(failing: Site) -> None:
    page = listed(failing, subject="m/good@T0")
    case = html.unescape(re.findall(r'href="(/r/[^"]+/c/\d+)', page)[0])

    assert "Failed tests" not in failing.page(case)
