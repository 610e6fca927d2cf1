"""A lab whose vendors have batch interfaces, for tests of runs that generate by them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from perf.kill_batches import CASES, SAMPLES
from tests.e2e.lab import RUN, VENDORS, Lab, config, numbered, small_set
from tests.fake_providers.batches import BatchShop, selling

PHASE = "steelyard.runner.batch.phase"
OPENAI = "steelyard.providers.batch.openai.OpenAiBatches"


@pytest.fixture
def shop() -> Iterator[BatchShop]:
    """A service with the batch interfaces of three vendors."""
    with selling(BatchShop()) as open_shop:
        yield open_shop


@pytest.fixture
def batches(lab: Lab, shop: BatchShop, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A lab whose vendors are the shop, at which one looks often."""
    monkeypatch.setattr(f"{PHASE}.FIRST_PAUSE_S", 0.02)
    small_set(lab.folder, numbered(CASES), samples=SAMPLES)
    urls = {vendor: shop.url(vendor) for vendor in VENDORS}
    (lab.folder / "steelyard.toml").write_text(config(urls, "openai/m"), encoding="utf-8")
    return lab


def words(vendor: str) -> tuple[str, ...]:
    """Return a command for a vendor; Anthropic takes no seed, which tells attempts apart elsewhere."""
    seed = () if vendor == "anthropic" else ("--seed", "0")
    return ("--eval-set", "small.toml", "--models", f"{vendor}/m", *seed)


def open_files(lab: Lab) -> list[Path]:
    return sorted((lab.folder / RUN / "batches").glob("*.json"))


def raising(error: BaseException, times: int | None = None) -> object:
    """Return what raises an error, always or so often, and then says that a batch has ended."""
    raised = 0

    async def raise_it(*_: object) -> bool:
        nonlocal raised
        raised += 1
        if times is None or raised <= times:
            raise error
        return True

    return raise_it
