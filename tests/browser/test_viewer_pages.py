"""The viewer in a browser: it loads nothing from elsewhere, and screen readers can read its pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import steelyard
from steelyard.model.viewing import CaseFilter
from steelyard.web.export import export_pages
from steelyard.web.login_file import login_file
from tests.browser.chromium import Page
from tests.web.runs import make_run
from tests.web.site import Site, site

READY = "document.documentElement?.dataset.ready === 'true'"
AXE = (
    "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map((one) => one.id))"
)
VIEWS = (
    "",
    "/matrix",
    "/report",
    "/search?words=return",
    "/sql?q=SELECT+1",
    "/marks",
    "/blind",
    "/c/{key}",
    "/c/{key}/1",
    "?failed=line+2",
    "/c/{key}?failed=line+2",
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("viewed")
    make_run(folder / "one")
    with site(folder / "one") as running:
        yield running


def opened(page: Page, served: Site, view: str) -> None:
    """Let the browser in, and open a view of the run."""
    run = served.viewer.run(served.run_id("one"))
    key = next(iter(run.matrix(CaseFilter(), after=None, size=1)[0])).key
    page.send("Page.navigate", url=served.access.url)
    page.wait(f"location.pathname === '/r/{run.id}' && {READY}")
    page.send("Page.navigate", url=f"{served.origin}/r/{run.id}{view.format(key=key)}")
    page.wait(f"location.href.endsWith({view.format(key=key)!r}) && {READY}")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)])
def test_a_view_is_accessible_silent_and_loads_nothing_from_elsewhere(  # noqa: PLR0913  # fixtures
    page: Page, served: Site, axe: str, *, view: str, width: int, dark: bool
) -> None:
    page.look(width=width, dark=dark)
    opened(page, served, view)

    page.run(axe)
    assert page.run(AXE) == []
    assert page.console == []
    assert [url for url in page.requests if not url.startswith(served.origin)] == []
    assert page.run("document.documentElement.scrollWidth <= innerWidth")


def test_a_file_leads_the_browser_in_and_the_token_leaves_the_address(page: Page, served: Site) -> None:
    run = served.run_id("one")
    with login_file(served.access.url) as path:
        page.send("Page.navigate", url=path.as_uri())
        page.wait(f"location.href === '{served.origin}/r/{run}' && {READY}")

    assert page.run("document.querySelector('h1').textContent.includes('subjects pass')")
    assert page.console == []


def test_the_keys_lead_from_the_list_to_the_next_failure(page: Page, served: Site) -> None:
    opened(page, served, "")
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))")

    assert page.run("'failed' in document.activeElement.closest('tr').dataset") is True


def test_the_key_for_the_next_failure_stays_on_a_sample_with_no_failure_behind_it(
    page: Page, served: Site
) -> None:
    opened(page, served, "/c/{key}/2")  # the first model passes always
    assert page.run("document.querySelector('a[rel=next]') !== null")
    page.run("window.clicked = 0; document.addEventListener('click', () => { window.clicked += 1; })")
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))")

    assert page.run("window.clicked") == 0


def test_four_clicks_lead_from_a_red_gate_to_the_assertion_that_failed(page: Page, tmp_path: Path) -> None:
    make_run(tmp_path / "old", texts={"created_at": "2026-11-14T00:00:00Z"})
    make_run(tmp_path / "new", models=("m/weak", "m/good"))
    steelyard.write_result(steelyard.gate(tmp_path / "old", tmp_path / "new"), tmp_path / "gate.json")
    with site(tmp_path / "gate.json", tmp_path / "old", tmp_path / "new") as running:
        page.send("Page.navigate", url=running.access.url)
        page.wait(f"document.querySelector('h1.verdict') !== null && {READY}")
        for click, then in (
            ("a[href^='/compare?']", "location.pathname === '/compare'"),
            ("tr[data-failed] a[data-row]", "location.pathname === '/sides'"),
            (".sides > :last-child p a[href^='/r/']", "location.pathname.startsWith('/r/')"),
            ("pre a[href^='#']", "document.querySelector('.line:target')?.textContent.includes('add(1, 2)')"),
        ):
            page.run(f"document.querySelector({click!r}).click()")
            page.wait(f"{then} && {READY}")

    assert page.console == []


def test_a_mark_is_made_with_the_form_of_a_sample(page: Page, served: Site) -> None:
    opened(page, served, "/c/{key}/1")
    page.run("document.querySelector('.marks-box').open = true")
    page.run("document.querySelector('#mark-note').value = 'seen in a browser'")
    page.run("document.querySelector('.marks-box form button').click()")

    page.wait(f"document.querySelector('.mark')?.textContent.includes('seen in a browser') && {READY}")
    assert page.console == []


def test_a_key_opens_the_note_of_a_sample(page: Page, served: Site) -> None:
    opened(page, served, "/c/{key}/0")
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'm', bubbles: true}))")

    assert page.run("document.activeElement.id") == "mark-note"


def test_a_page_that_is_not_seen_holds_no_connection(page: Page, served: Site) -> None:
    opened(page, served, "")
    page.run(
        "window.sources = []; window.EventSource = class { constructor() { sources.push(this); }"
        " addEventListener() {} close() { this.closed = true; } };"
        "Object.defineProperty(document, 'hidden', {get: () => window.away, configurable: true});"
    )
    change = "document.dispatchEvent(new Event('visibilitychange'))"

    page.run(f"window.away = false; {change}; window.away = true; {change}")

    assert page.run("sources.map((one) => one.closed === true)") == [True]
    page.run(f"window.away = false; {change}")
    assert page.run("sources.map((one) => one.closed === true)") == [True, False]


@pytest.mark.check_all
def test_an_export_of_pages_opens_without_a_server(page: Page, served: Site, tmp_path: Path) -> None:
    export_pages(served.viewer, tmp_path, samples=2)
    page.open(tmp_path / "index.html")

    assert page.console == []
    assert "subjects pass" in page.run("document.querySelector('h1').textContent")
