"""One viewer for the tests that only look."""

from collections.abc import Iterator

import pytest

from tests.web.runs import make_run
from tests.web.site import Site, site


@pytest.fixture(scope="session")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve a folder with two runs, before and after."""
    folder = tmp_path_factory.mktemp("runs")
    make_run(folder / "before")
    make_run(folder / "deep" / "after", models=("m/weak", "m/good"))
    with site(folder) as running:
        yield running
