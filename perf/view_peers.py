"""Open the same number of answers in our viewer, in Inspect View and in promptfoo, with a real browser.

Each gets answers of 2 KB in its own form, and is asked twice: for the list of samples, until the first can
be read, and for one sample, until its answer can be (promptfoo shows answers in its list). A viewer that
needs more than a minute gets no larger size. Memory is that of the server, and of the page's scripts.
Run: python -m perf.view_peers FOLDER [--inspect PYTHON] [--promptfoo COMMAND] [--sizes 1e3] [--keep]
"""

import argparse
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.request import urlopen

from perf.make_outcomes import Size, make_run
from perf.process_tree import tree_mib
from perf.view_scale import ANSWER_BYTES, Browser, start_viewer
from scripts.measured_at import DATA, stamp
from tests.browser.chromium import Page, PageFailed, chromium

SIZES = (1_000.0, 10_000.0, 100_000.0, 1_000_000.0)
LIMIT_S = 60.0
MEBIBYTE = 2**20
LINE = "    value = compute(left, right)  # a line of code\n"
ANSWER = LINE * (ANSWER_BYTES // len(LINE))
LOG = "2026-11-17T00-00-00_scale_abc.eval"
QUIET = {f"PROMPTFOO_DISABLE_{what}": "1" for what in ("TELEMETRY", "UPDATE", "REMOTE_GENERATION")}
COPIED = (
    *("created_at", "updated_at", "eval_id", "prompt_idx", "test_case", "prompt", "prompt_id", "provider"),
    *("latency_ms", "cost", "response", "error", "success", "score", "grading_result", "named_scores"),
    *("metadata", "failure_reason"),
)

Figures = dict[str, float]
Viewers = dict[str, dict[str, dict[str, object]]]


class Served(NamedTuple):
    """A viewer that runs: where it shows its list and one sample, and what can be read there then."""

    server: "subprocess.Popen[str]"
    first: str  # opened before anything is measured
    samples: str
    sample: str | None
    word: str  # in the list
    answer: str = "compute(left, right)"


def main() -> int:
    """Measure every viewer at every size that it opens, and print what it took."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where runs and logs are made")
    parser.add_argument("--inspect", type=Path, help="a Python that has inspect-ai")
    parser.add_argument("--promptfoo", type=Path, help="the command of promptfoo")
    parser.add_argument("--sizes", nargs="+", type=float, default=SIZES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", action="store_true", help="write the figures to where the pages take them")
    given = parser.parse_args()
    viewers = {"steelyard": None, "inspect": given.inspect, "promptfoo": given.promptfoo}
    found: Viewers = {}
    now = stamp()
    for name in ("steelyard", *(name for name, command in viewers.items() if command)):
        found[name] = {}
        for size in map(int, given.sizes):
            folder = given.folder / f"{name}-{size}"
            served = SERVE[name](folder, size, viewers[name])
            measured = _measure(served, given.rounds)
            found[name][str(size)] = {**now, **measured}
            print(f"{name}, {size:,} samples: {json.dumps(measured)}", flush=True)
            if not measured:
                break
    if given.keep:
        _keep(found)
    return 0


def _keep(found: Viewers) -> None:
    """Put the figures beside those of other sizes that were kept before."""
    path = DATA / "viewers.json"
    kept: Viewers = json.loads(path.read_text(encoding="utf-8"))["viewers"] if path.exists() else {}
    viewers = {name: {**kept.get(name, {}), **found.get(name, {})} for name in {**kept, **found}}
    made = {"made_by": "python -m perf.view_peers", "viewers": viewers}
    path.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def _measure(served: Served, rounds: int) -> Figures:
    """Open both pages so many times; nothing if one of them is not there in time."""
    try:
        with chromium() as browser:
            page = browser.page()
            _seconds(page, served.first, "")
            lists = [_seconds(page, served.samples, served.word) for _ in range(rounds)]
            found = {"list_s": round(median(lists), 3)}
            if served.sample is not None:
                opened = [_seconds(page, served.sample, served.answer) for _ in range(rounds)]
                found["sample_s"] = round(median(opened), 3)
            found["page_mib"] = round(float(page.run("performance.memory.usedJSHeapSize")) / MEBIBYTE)
            found["server_mib"] = round(tree_mib(served.server.pid))
            return found
    except PageFailed as error:
        print(f"not within {LIMIT_S:g} s: {str(error)[:200]}", file=sys.stderr)
        return {}
    finally:
        served.server.terminate()
        served.server.communicate()  # closes its output, too


def _seconds(page: Page, url: str, word: str) -> float:
    """Open a page as a new visitor does, and return how long it took until it shows a word."""
    page.send("Page.navigate", url="about:blank")
    began = time.perf_counter()
    page.send("Page.navigate", url=url)
    page.wait(
        f"location.href !== 'about:blank' && document.body?.innerText.includes({json.dumps(word)}) === true",
        seconds=LIMIT_S,
    )
    return time.perf_counter() - began


def _serve_ours(folder: Path, size: int, _: Path | None) -> Served:
    make_run(folder, Size(outcomes=size, answer_bytes=ANSWER_BYTES, cases=min(1_000, size // 20)))
    server, link = start_viewer(folder)
    visitor = Browser(link)
    key = re.findall(r"/c/(\d+)", visitor.page(visitor.run))[0]
    root = link.partition("/?")[0]
    samples = f"{root}{visitor.run}"
    return Served(server, link, samples, f"{samples}/c/{key}/0", "case-0000", "items.iter()")


def _serve_inspect(folder: Path, size: int, python: Path | None) -> Served:
    assert python is not None
    if not (folder / LOG).exists():
        folder.mkdir(parents=True)
        script = Path(__file__).with_name("inspect_log.py")
        subprocess.run([python, script, folder / LOG, str(size), ANSWER], check=True)
    port = _free_port()
    command = [python.with_name("inspect"), "view", "start", "--log-dir", folder, "--port", str(port)]
    server = _started(command, f"http://127.0.0.1:{port}/")
    samples = f"http://127.0.0.1:{port}/#/logs/{LOG}"
    return Served(
        server,
        f"http://127.0.0.1:{port}/",
        samples,
        f"{samples}/samples/sample/case-0000001/1/",
        "case-0000001",
    )


def _serve_promptfoo(folder: Path, size: int, command: Path | None) -> Served:
    """Have promptfoo itself evaluate one prompt, and copy the row in its database."""
    assert command is not None
    home = {"PROMPTFOO_CONFIG_DIR": str(folder), **QUIET}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config = folder / "config.json"
    config.write_text(
        json.dumps(
            {"prompts": [f"case-0000\n{ANSWER}"], "providers": ["echo"], "tests": [{"vars": {"number": 1}}]}
        )
    )
    evaluate = [str(command), "eval", "-c", str(config), "--no-cache", "--no-table", "--no-progress-bar"]
    subprocess.run(evaluate, check=True, env={**os.environ, **home}, capture_output=True)
    with sqlite3.connect(folder / "promptfoo.db") as database:
        ((name,),) = database.execute("SELECT id FROM evals").fetchall()
        listed = ", ".join(COPIED)
        database.execute(
            f"INSERT INTO eval_results (id, test_idx, {listed}) "
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) "
            f"SELECT 'copy-' || i, i, {listed} FROM eval_results, n",
            [size],
        )
    port = _free_port()
    root = f"http://localhost:{port}"
    server = _started([command, "view", "-n", "-p", str(port)], root, home)
    return Served(server, root, f"{root}/eval/{name}", None, "compute(left, right)")


def _started(
    command: Sequence[object], url: str, further: Mapping[str, str] | None = None
) -> "subprocess.Popen[str]":
    server = subprocess.Popen(
        [str(word) for word in command],
        env={**os.environ, **(further or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        try:
            with urlopen(url, timeout=LIMIT_S):  # noqa: S310  # a server of our own
                return server
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"{command[0]} does not answer at {url}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


SERVE = {"steelyard": _serve_ours, "inspect": _serve_inspect, "promptfoo": _serve_promptfoo}

if __name__ == "__main__":
    sys.exit(main())
