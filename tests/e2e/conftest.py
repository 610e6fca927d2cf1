"""What the tests of whole runs share."""

from pathlib import Path

import pytest

from tests.e2e.batches import batches, shop
from tests.e2e.lab import KEY, KEY_NAME, Lab
from tests.fake_providers.fixtures import vendors
from tests.fake_providers.server import VendorServer

__all__ = ["batches", "shop", "vendors"]


@pytest.fixture
def lab(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    vendors: VendorServer,
    capsys: pytest.CaptureFixture[str],
) -> Lab:
    """A folder of one's own, a server that answers `yes` to everything, and a key for it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(KEY_NAME, KEY)
    vendors.behaviour.answer = lambda asked: "yes"
    made = Lab(tmp_path, vendors, capsys)
    made.configure("openai/m")
    return made
