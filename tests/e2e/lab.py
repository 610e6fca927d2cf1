"""A folder to run in and a server to ask: all that it takes to try `steelyard run` as a user would."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from steelyard.store.run.files import reading
from steelyard.store.run.run_store import open_run
from tests.commands import Json, Shown, strict_json, typed
from tests.fake_providers.server import VendorServer

VENDORS = ("openai", "anthropic", "google")
KEY, KEY_NAME = "sk-never-to-be-shown", "LAB_KEY"
RUN = "runs/one"
HEAD = """
[eval_set]
id = "small"
default_language = "text"
[sampling]
samples = {samples}
max_tokens = 64
"""
CASE = """
[[cases]]
id = "{name}"
prompt = "Say yes to {name}."
reference = "{exact}"
wrong = ["perhaps"]
[cases.expectations.settings]
exact = "{exact}"
"""
CONFIG = """
[providers.{vendor}]
base_url = "{url}"
api_key_env = "{key_name}"
timeout_secs = {timeout_s}

[[prices]]
model = "{vendor}/*"
input = 1.0
output = 4.0
"""


class Lab:
    """Where a test works: the folder that is the current one, the server, and what commands show."""

    def __init__(self, folder: Path, server: VendorServer, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.server = server
        self._capsys = capsys

    def configure(self, *models: str, timeout_s: float = 20.0, more: str = "") -> None:
        """Write a `steelyard.toml` by which all vendors are the server."""
        urls = {vendor: self.server.url(vendor) for vendor in VENDORS}
        text = config(urls, *models, timeout_s=timeout_s, more=more)
        (self.folder / "steelyard.toml").write_text(text, encoding="utf-8")

    def typed(self, *words: str | Path) -> Shown:
        """Type a command."""
        return typed(self._capsys, *words)

    def run(self, *words: str) -> Shown:
        """Begin the run, with a report as JSON in `report.json`."""
        return self.typed("run", "--run", RUN, "--quiet", "-o", "report.json", *words)

    def resume(self, *words: str) -> Shown:
        """Go on with the run."""
        return self.typed("run", "--resume", RUN, "--quiet", "-o", "report.json", *words)

    def report(self) -> Json:
        """Return the report that the last command wrote."""
        return strict_json((self.folder / "report.json").read_text(encoding="utf-8"))

    def rows(self, table: str, columns: str, *, where: str = "true") -> list[tuple[Any, ...]]:
        """Return some columns of one of the run's tables, sorted."""
        store = open_run(self.folder / RUN)
        with reading({"samples": store.samples, "outcomes": store.outcomes}[table]) as connection:
            found = connection.execute(f"SELECT {columns} FROM rows WHERE {where} ORDER BY ALL")  # noqa: S608  # our own words
            return found.fetchall()

    def asked(self, since: int = 0) -> list[tuple[str, str, int | None]]:
        """Return what the server was asked: model, prompt, seed, sorted; without the first few requests."""
        asked = self.server.seen.asked[since:]
        return sorted((one.model, one.prompt, one.seed) for one in asked)


def config(urls: Mapping[str, str], *models: str, timeout_s: float = 20.0, more: str = "") -> str:
    """Return a `steelyard.toml` that knows vendors at some addresses, their key and their prices."""
    names = ", ".join(f'"{model}"' for model in models)
    tables = [
        CONFIG.format(vendor=vendor, url=url, key_name=KEY_NAME, timeout_s=timeout_s)
        for vendor, url in urls.items()
    ]
    return "\n".join([f"models = [{names}]", *tables, more])


def small_set(
    folder: Path, names: Iterable[str], *, exact: str = "yes", samples: int = 1, more: str = ""
) -> Path:
    """Write an eval set of cases that are right if the answer is `yes`, and cost nothing to check."""
    head = HEAD.format(samples=samples)
    cases = "".join(CASE.format(name=name, exact=exact) for name in names)
    path = folder / "small.toml"
    path.write_text(f"{head}\n{more}\n{cases}", encoding="utf-8")
    return path


def numbered(count: int) -> Sequence[str]:
    """Return names for so many cases."""
    return [f"case-{number:02d}" for number in range(count)]
