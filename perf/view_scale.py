"""Weigh the viewer on a large run: first screen, pages, filters, samples, search; the 95th percentile counts.

Makes the run unless it is there, serves it in a process of its own, and asks over a real socket.
Run: python -m perf.view_scale FOLDER [--samples 1e7] [--requests 200] [--keep]
"""

import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from perf.make_outcomes import CASES, Size, make_run
from scripts.measured_at import DATA, stamp

ANSWER_BYTES = 2_000
SEED = 20261116
KINDS = ("fail", "build_error", "timeout", "error")
# What is asked for, and within how many seconds 95 of 100 answers should come.
GOALS = {"first screen": 1.0, "page": 0.3, "filter": 0.3, "sample": 0.2, "search, first hit": 2.0}
GOAL_MIB = 1_024
MEBIBYTE = 1_024  # KiB, the unit of /proc


def main() -> int:
    """Make the run, measure, print, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the generated run is kept")
    parser.add_argument("--samples", type=lambda text: int(float(text)), default=10_000_000)
    parser.add_argument("--cases", type=int, default=CASES, help="of each of the twenty models")
    parser.add_argument("--requests", type=int, default=200, help="of each kind")
    parser.add_argument("--keep", action="store_true", help="write the figures to where the pages take them")
    given = parser.parse_args()
    make_run(given.folder, Size(outcomes=given.samples, answer_bytes=ANSWER_BYTES, cases=given.cases))
    measured = measure(given.folder, requests=given.requests)
    print(json.dumps(measured))
    if given.keep:
        kept = {"made_by": "python -m perf.view_scale", **stamp(), "samples": given.samples, **measured}
        (DATA / "view.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    missed = [name for name, goal in GOALS.items() if measured[name]["p95_s"] > goal]
    missed += ["memory"] if measured["memory"]["peak_mib"] > GOAL_MIB else []
    print(
        f"goals: {json.dumps(GOALS)}, memory {GOAL_MIB} MiB: {'MISSED ' + str(missed) if missed else 'met'}"
    )
    return 1 if missed else 0


def measure(folder: Path, *, requests: int) -> dict[str, dict[str, float]]:
    """Serve a run and ask for every kind of page so many times."""
    server, link = start_viewer(folder)
    with server:
        try:
            browser = Browser(link)
            found = _asked(browser, random.Random(SEED), requests, lambda: _processor_s(server.pid))
            found["memory"] = {"peak_mib": _peak_kib(server.pid) / MEBIBYTE}
        finally:
            server.terminate()
    return found


def start_viewer(folder: Path) -> "tuple[subprocess.Popen[str], str]":
    """Serve a run, and return the process with the link that lets a visitor in."""
    command = [sys.executable, "-m", "steelyard", "view", str(folder), "--no-open"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    return server, server.stdout.readline().strip()


class Browser:
    """Asks for pages with the cookie that the link gave."""

    def __init__(self, link: str) -> None:
        parts = urlsplit(link)
        self._place = parts.netloc
        connection = http.client.HTTPConnection(self._place)
        connection.request("GET", f"/?{parts.query}")
        answer = connection.getresponse()
        answer.read()
        self._cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        connection.close()
        self.run = self.location("/")

    def location(self, path: str) -> str:
        """Return where a page leads on to."""
        with self._ask(path) as answer:
            return answer.getheader("location") or path

    def page(self, path: str) -> str:
        """Return a whole page."""
        answer = self._ask(path)
        text = answer.read().decode()
        assert answer.status == http.client.OK, (path, text[:500])
        return text

    def until(self, path: str, word: bytes) -> None:
        """Read a page until it holds a word, and then stop it, as a reader does."""
        answer, seen = self._ask(path), b""
        while word not in seen:
            part = answer.read1(65_536)
            assert part, f"{path}: never said {word!r}"
            seen += part
        answer.close()

    def _ask(self, path: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self._place)
        connection.request("GET", path, headers={"Cookie": self._cookie, "Connection": "close"})
        return connection.getresponse()


def _asked(
    browser: Browser, dice: random.Random, requests: int, processor: Callable[[], float]
) -> dict[str, dict[str, float]]:
    started = time.perf_counter()
    first = browser.page(browser.run)
    cold = time.perf_counter() - started
    keys = _keys(browser, first, dice)
    models = [f"vendor/model-{number:02d}@T0" for number in range(20)]

    def filtered() -> str:
        return urlencode({"subject": dice.choice(models), "kind": dice.choice(KINDS)})

    kinds: dict[str, Callable[[], object]] = {
        "first screen": lambda: browser.page(browser.run),
        "page": lambda: browser.page(f"{browser.run}?after={dice.choice(keys)}"),
        "filter": lambda: browser.page(f"{browser.run}?{filtered()}"),
        "sample": lambda: browser.page(f"{browser.run}/c/{dice.choice(keys)}/0"),
        "search, first hit": lambda: browser.until(
            f"{browser.run}/search?words={urlencode({'': f'v{dice.randrange(1000):03d}'})[1:]}", b"data-row"
        ),
    }
    found = {name: _timed(ask, requests, processor) for name, ask in kinds.items()}
    found["first screen"]["cold_s"] = cold
    return found


def _keys(browser: Browser, first: str, dice: random.Random) -> list[str]:
    """Return the keys of cases from several places of the list."""
    keys, page = list[str](), first
    for _ in range(10):
        keys += re.findall(r"/c/(\d+)", page)
        page = browser.page(f"{browser.run}?after={dice.choice(keys)}&order={dice.choice(('rate', 'cost'))}")
    return sorted(set(keys))


def _timed(ask: Callable[[], object], requests: int, processor: Callable[[], float]) -> dict[str, float]:
    before = processor()
    times = sorted(_seconds(ask) for _ in range(requests))
    return {
        "median_s": quantile(times, 0.5),
        "p95_s": quantile(times, 0.95),
        "processor_s": round((processor() - before) / requests, 4),  # of the server, for each request
        "requests": requests,
    }


def _seconds(ask: Callable[[], object]) -> float:
    started = time.perf_counter()
    ask()
    return time.perf_counter() - started


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which a share of some ordered ones lies."""
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 4)


def _processor_s(process: int) -> float:
    """Return the processor seconds that a process has taken: other work disturbs them least."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_kib(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0])


if __name__ == "__main__":
    sys.exit(main())
