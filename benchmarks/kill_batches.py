"""Kill `steelyard run --batch` again and again, and see that no batch is lost or paid for twice.

The service (tests/vendors/batches.py) kills the run itself: at a request of its choice, before it deals with
the request or right after, so the moments between submitting and writing down are among them.
Run: python -m benchmarks.kill_batches [--kills 100] [--seed 1]
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from steelyard.store.run.files import reading
from steelyard.store.run.run_store import is_run, open_run
from tests.runs.lab import KEY, KEY_NAME, config, numbered, small_set
from tests.vendors.batches import BatchShop, selling

CASES, SAMPLES = 6, 2
TOTAL = CASES * SAMPLES
VENDORS = ("openai", "anthropic", "google")
LAST = 4  # requests: the latest that a run is killed at
KILLED = -9


def killed_again_and_again(folder: Path, shop: BatchShop, vendor: str, *, kills: int, random: Random) -> int:
    """Begin a run, kill it and go on with it, then let it end; return how often it was really killed."""
    small_set(folder, numbered(CASES), samples=SAMPLES)
    (folder / "steelyard.toml").write_text(
        config({vendor: shop.url(vendor)}, f"{vendor}/m"), encoding="utf-8"
    )
    shop.looks, killed = 3 * kills, 0
    while killed < kills:
        killed += session(folder, shop, random.randint(1, LAST), before=random.random() < 0.5) == KILLED  # noqa: PLR2004  # half of them
    shop.looks = 0
    assert session(folder, shop, 0, before=False) == 0
    with reading(open_run(folder / "run").samples) as connection:
        [(rows, keys)] = connection.execute(
            "SELECT count(*), count(DISTINCT (case_id, attempt)) FROM rows WHERE error IS NULL"
        ).fetchall()
    assert (rows, keys) == (TOTAL, TOTAL), (rows, keys)
    return killed


def session(folder: Path, shop: BatchShop, until_kill: int, *, before: bool) -> int:
    """Run until the end, or until the service kills the run; return the exit code."""
    began = ("--resume", "run") if is_run(folder / "run") else ("--eval-set", "small.toml", "--run", "run")
    words = ("run", *began, "--batch", "--quiet", "--threads", "1")
    shop.victim, shop.until_kill, shop.kills_before = 0, until_kill, before
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(  # our own words
            [sys.executable, "-m", "steelyard", *words],
            cwd=folder,
            env={**os.environ, KEY_NAME: KEY},
            stdout=log,
            stderr=log,
        )
        shop.victim = process.pid
        code = process.wait()
    shop.victim = 0
    assert code in {0, KILLED}, (folder / "log").read_text(encoding="utf-8")[-2000:]
    return code


def main(arguments: Sequence[str] | None = None) -> None:
    """Kill runs of all vendors, a few times each, until there were enough kills."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--each", type=int, default=6, help="kills of one run")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    random, killed, number = Random(options.seed), 0, 0  # chooses moments
    while killed < options.kills:
        vendor = VENDORS[number % len(VENDORS)]
        number += 1
        with tempfile.TemporaryDirectory() as folder, selling(BatchShop()) as shop:
            killed += killed_again_and_again(Path(folder), shop, vendor, kills=options.each, random=random)
            assert KEY not in (Path(folder) / "log").read_text(encoding="utf-8")
            paid, held = shop.paid.total(), sum(len(batch.requests) for batch in shop.batches.values())
        print(f"{vendor}: killed {killed} times; {TOTAL} answers, {paid} paid, {held} in batches", flush=True)
        assert (paid, held) == (TOTAL, TOTAL)


if __name__ == "__main__":
    main()
