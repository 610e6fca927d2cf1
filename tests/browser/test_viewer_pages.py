"""The viewer in a browser: it loads nothing from elsewhere, and screen readers can read its pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.model.viewing import CaseFilter
from steelyard.web.export import export_pages
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
    "/c/{key}",
    "/c/{key}/1",
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


def test_the_keys_lead_from_the_list_to_the_next_failure(page: Page, served: Site) -> None:
    opened(page, served, "")
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))")

    assert page.run("'failed' in document.activeElement.closest('tr').dataset") is True


def test_a_mark_is_made_with_the_form_of_a_sample(page: Page, served: Site) -> None:
    opened(page, served, "/c/{key}/1")
    page.run("document.querySelector('.marks-box').open = true")
    page.run("document.querySelector('#mark-note').value = 'seen in a browser'")
    page.run("document.querySelector('.marks-box form button').click()")

    page.wait(f"document.querySelector('.mark')?.textContent.includes('seen in a browser') && {READY}")
    assert page.console == []


def test_an_export_of_pages_opens_without_a_server(page: Page, served: Site, tmp_path: Path) -> None:
    export_pages(served.viewer, tmp_path, samples=2)
    page.open(tmp_path / "index.html")

    assert page.console == []
    assert "subjects pass" in page.run("document.querySelector('h1').textContent")
