"""The browser and the pages that the tests look at."""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import steelyard
from steelyard.app.views import html_renderer
from tests.browser.chromium import Browser, Page, chromium
from tests.browser.reports import counted
from tests.browser.runs import LARGE, SINGLES, SMALL, TIERED, USUAL, make_run

SHAPES = {"small": SMALL, "tiered": TIERED, "usual": USUAL, "large": LARGE, "singles": SINGLES}
COMPARED = replace(USUAL, models=2, cases=30)
DRAWN = {"small", "tiered"}  # the others are too large to be generated and checked within a test


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the whole session: Chromium is never quite idle, and the other tests need the processor.
    with chromium() as running:
        yield running


class Pages(dict[str, Path]):
    """Where each page is; it is written when somebody first asks for it."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def __missing__(self, name: str) -> Path:
        path = self.folder / f"{name}.html"
        path.write_text(self._text(name), encoding="utf-8")
        self[name] = path
        return path

    def _text(self, name: str) -> str:
        if name in DRAWN:
            run = make_run(self.folder / f"{name}-run", SHAPES[name])
            samples = steelyard.sample_excerpts(run)
            return html_renderer().render(steelyard.report_run(run), samples=samples)
        if name in SHAPES:
            report, excerpts = counted(SHAPES[name])
            return html_renderer().render(report, samples=excerpts)
        (before, old), (after, new) = counted(COMPARED), counted(replace(COMPARED, seed=7))
        if name == "gate":
            return html_renderer().render(steelyard.gate_reports(before, after))
        both = [*(replace(one, of_baseline=True) for one in old), *new]
        return html_renderer().render(steelyard.compare_reports(before, after), samples=both)


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(tmp_path_factory.mktemp("pages"))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.page()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the script that judges whether a page can be read by everybody; it must be installed."""
    npm = shutil.which("npm")
    assert npm, "the tests need npm, and with it: npm install --global axe-core"
    root = subprocess.run([npm, "root", "--global"], capture_output=True, text=True, check=True).stdout
    return (Path(root.strip()) / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
