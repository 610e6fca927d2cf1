"""Load the check service on loopback: throughput beside peers, requests in flight, hostile answers, kills.

`throughput` sends the references of HumanEval and 100 programs that read standard input, each made different
so that no result is shared. Beside it run a bare process per program and, if named, SandboxFusion's server.
`flight` keeps many requests open at once; `hostile` mixes in answers that attack the machine; `kills` kills
workers and servers. Load is bounded in count and stops by itself.
Run: python -m perf.check_service throughput|flight|hostile|kills --benchmark-data FOLDER [--fusion URL]
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp

from perf.process_tree import tree_mib
from steelyard.app.benchmarks.load import BenchmarkOptions, load_benchmark
from steelyard.model.case import Case

SET = """
[eval_set]
id = "load"
default_language = "python"
default_timeout_secs = 3

[[cases]]
id = "sum"
prompt = "Add two numbers."
[cases.expectations]
io = [{ stdin = "20 22", stdout = "42" }]
"""
SUM = "a, b = map(int, input().split())\nprint(a + b)\n# {}\n"
PROGRAMS = 100
AT_ONCE = (1, 16, 64)
HOSTILE = {
    "fork bomb": "import os\nwhile True:\n    os.fork()\n# {}\n",
    "memory": "x = []\nwhile True:\n    x.append(bytearray(1 << 24))\n# {}\n",
    "flood": "while True:\n    print('x' * 4096)\n# {}\n",
    "sleeper": "import time\ntime.sleep(60)\n# {}\n",
}
HOSTILE_SHARE = 0.1
Check = Callable[[int], Awaitable[Any]]


@contextmanager
def service(*options: str, workers: int) -> Iterator[tuple[str, int]]:
    """Start a service; give its address and process number."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "load.toml"
        path.write_text(SET, encoding="utf-8")
        command = [sys.executable, "-m", "steelyard", "serve", str(path), "--port", "0"]
        with subprocess.Popen(
            [*command, "--workers", str(workers), *options], stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stderr is not None
            address = next(
                (found[0] for line in process.stderr if (found := re.search(r"http://\S+", line))), ""
            )
            try:
                asyncio.run(_ready(address))
                yield address, process.pid
            finally:
                process.send_signal(signal.SIGTERM)


async def _ready(address: str) -> None:
    async with aiohttp.ClientSession() as session:
        for _ in range(600):
            try:
                async with session.get(f"{address}/readyz") as reply:
                    if reply.ok:
                        return
            except aiohttp.ClientError:
                await asyncio.sleep(0.1)
    raise SystemExit("the service did not become ready")


async def timed(check: Check, count: int, *, at_once: int) -> tuple[float, list[float], list[Any]]:
    """Run checks at a width; return seconds, each latency and each reply."""
    numbers, latencies, replies = iter(range(count)), list[float](), list[Any]()

    async def work() -> None:
        for number in numbers:
            began = time.perf_counter()
            replies.append(await check(number))
            latencies.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(at_once)))
    return time.perf_counter() - began, latencies, replies


def humaneval(data: Path) -> list[Case]:
    """Return HumanEval's cases."""
    return list(load_benchmark("humaneval", BenchmarkOptions(data=data), notify=lambda _: None).cases)


def whole_program(case: Case) -> str:
    """Return a program that runs a case's own tests on its reference, for services that run programs."""
    return f"{case.reference}\n\n{case.expectations.tests}\n"


class Client:
    """Sends checks to one service."""

    def __init__(self, session: aiohttp.ClientSession, address: str, salt: str) -> None:
        self._session, self._address, self._salt = session, address, salt

    async def post(self, path: str, body: object) -> Any:  # noqa: ANN401  # any JSON
        """Return the reply to a request."""
        async with self._session.post(f"{self._address}{path}", json=body) as reply:
            return await reply.json()

    async def check(self, eval_set: str, case: str, completion: str, **fields: object) -> Any:  # noqa: ANN401
        """Check an answer."""
        body = {"eval_set": eval_set, "case": case, "completion": completion, **fields}
        return await self.post("/v1/check", body)

    def different(self, code: str, number: int) -> str:
        """Return code that no other request has."""
        return f"{code.rstrip()}\n# {self._salt} {number}\n"


def _session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=None)
    )


async def _bare(program: str, text: str) -> int:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-c", program, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    await process.communicate(text.encode())
    return process.returncode or 0


async def throughput(address: str, given: argparse.Namespace) -> dict[str, Any]:
    """Return checks per second at each width, for the service and for its peers."""
    cases, figures = humaneval(given.benchmark_data), dict[str, Any]()
    async with _session() as session:
        for at_once in given.at_once:
            ours = Client(session, address, f"{time.time_ns()}")

            async def tested(number: int, ours: Client = ours) -> bool:
                case = cases[number]
                answer = ours.different(f"```python\n{case.reference}", number) + "```"
                return bool((await ours.check("humaneval", case.id, answer))["reward"] == 1)

            async def summed(number: int, ours: Client = ours) -> bool:
                return bool((await ours.check("load", "sum", ours.different(SUM, number)))["reward"] == 1)

            async def bare_test(number: int) -> bool:
                return await _bare(whole_program(cases[number]), "") == 0

            async def bare_sum(_: int) -> bool:
                return await _bare(SUM, "20 22") == 0

            sides: dict[str, tuple[Check, int]] = {
                "ours, humaneval": (tested, len(cases)),
                "process, humaneval": (bare_test, len(cases)),
                "ours, stdin": (summed, PROGRAMS),
                "process, stdin": (bare_sum, PROGRAMS),
            }
            if given.fusion:
                fusion = Client(session, given.fusion, f"{time.time_ns()}")

                async def fused(number: int, fusion: Client = fusion) -> bool:
                    body = {"code": whole_program(cases[number]), "language": "python"}
                    return bool((await fusion.post("/run_code", body))["status"] == "Success")

                async def fused_sum(_: int, fusion: Client = fusion) -> bool:
                    body = {"code": SUM, "language": "python", "stdin": "20 22"}
                    return bool((await fusion.post("/run_code", body))["run_result"]["stdout"] == "42\n")

                sides |= {"fusion, humaneval": (fused, len(cases)), "fusion, stdin": (fused_sum, PROGRAMS)}
            for name, (check, count) in sides.items():
                seconds, _, replies = await timed(check, count, at_once=at_once)
                figures[f"{name}, {at_once} at once"] = {
                    "per_s": round(count / seconds, 1),
                    "right": sum(replies),
                    "of": count,
                }
    return figures


async def flight(address: str, process: int, given: argparse.Namespace) -> dict[str, Any]:
    """Return memory, lost and late requests with many in flight."""
    async with _session() as session:
        ours = Client(session, address, f"{time.time_ns()}")

        async def check(number: int) -> tuple[str, float]:
            began = time.perf_counter()
            reply = await ours.check("load", "sum", ours.different(SUM, number), deadline_s=given.deadline_s)
            return (reply.get("verdict") or reply["error"]["kind"]), time.perf_counter() - began

        peak, done = 0.0, asyncio.Event()

        async def watch() -> None:
            nonlocal peak
            while not done.is_set():
                peak = max(peak, await asyncio.to_thread(tree_mib, process))
                await asyncio.sleep(0.5)

        watching = asyncio.create_task(watch())
        _, _, replies = await timed(check, given.requests, at_once=given.requests)
        done.set()
        await watching
    late = [seconds - given.deadline_s for _, seconds in replies if seconds > given.deadline_s]
    kinds = [kind for kind, _ in replies]
    return {
        "requests": given.requests,
        "replies": {kind: kinds.count(kind) for kind in sorted(set(kinds))},
        "latest_past_deadline_s": round(max(late, default=0.0), 3),
        "peak_mib": round(peak),
    }


async def hostile(address: str, given: argparse.Namespace) -> dict[str, Any]:
    """Return the 99th percentile of honest checks, without and with hostile answers among them."""
    figures = dict[str, Any]()
    generator = random.Random(7)  # which answers are hostile
    async with _session() as session:
        for share in (0.0, HOSTILE_SHARE):
            ours = Client(session, address, f"{time.time_ns()}")
            honest, wrong = list[float](), 0

            async def check(number: int, ours: Client = ours, share: float = share) -> None:
                nonlocal wrong
                await asyncio.sleep(number / given.rate)
                if generator.random() < share:
                    attack = generator.choice(list(HOSTILE.values()))
                    await ours.check("load", "sum", attack.format(f"{share} {number} {time.time_ns()}"))
                    return
                began = time.perf_counter()
                reply = await ours.check("load", "sum", ours.different(SUM, number))
                honest.append(time.perf_counter() - began)  # noqa: B023  # of this share
                wrong += reply.get("reward") != 1

            await asyncio.gather(*(check(number) for number in range(given.requests)))
            cuts = statistics.quantiles(honest, n=100)
            figures[f"hostile share {share}"] = {
                "honest": len(honest),
                "not_1": wrong,
                "p50_s": round(cuts[49], 3),
                "p99_s": round(cuts[98], 3),
            }
    return figures


async def kills(address: str, process: int, given: argparse.Namespace) -> dict[str, Any]:
    """Kill workers while checks run; return how requests ended, and the verdicts of a second try."""
    async with _session() as session:
        ours = Client(session, address, f"{time.time_ns()}")
        answers = [ours.different(SUM, number) for number in range(given.requests)]

        async def check(number: int) -> Any:  # noqa: ANN401
            return (await ours.check("load", "sum", answers[number]))["reward"]

        async def kill() -> None:
            for _ in range(given.kills):
                await asyncio.sleep(0.3)
                if workers := _workers(process):
                    os.kill(random.choice(workers), signal.SIGKILL)

        (_, _, first), _ = await asyncio.gather(timed(check, given.requests, at_once=32), kill())
        _, _, second = await timed(check, given.requests, at_once=32)
    return {
        "kills": given.kills,
        "first": {str(reward): first.count(reward) for reward in (1.0, 0.0, None)},
        "second": {str(reward): second.count(reward) for reward in (1.0, 0.0, None)},
    }


def _workers(service_process: int) -> list[int]:
    rows = subprocess.run(
        ["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    parents = [(int(row.split()[0]), int(row.split()[1]), row) for row in rows.splitlines()]
    servers = {pid for pid, parent, row in parents if parent == service_process and "forkserver" in row}
    return [pid for pid, parent, _ in parents if parent in servers]


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print one line of JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("throughput", "flight", "hostile", "kills"))
    parser.add_argument("--benchmark-data", type=Path)
    parser.add_argument("--fusion", help="address of SandboxFusion's own server")
    parser.add_argument("--workers", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--at-once", type=int, nargs="+", default=AT_ONCE)
    parser.add_argument("--requests", type=int, default=1_000)
    parser.add_argument("--deadline-s", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=20.0, help="hostile: requests per second")
    parser.add_argument("--kills", type=int, default=50)
    given = parser.parse_args(words)
    options: tuple[str, ...] = ("--queue", str(max(given.requests, 10_000)))
    if given.what == "throughput":
        options += ("--benchmark", "humaneval", "--benchmark-data", str(given.benchmark_data))
    with service(*options, workers=given.workers) as (address, process):
        match given.what:
            case "throughput":
                figures = asyncio.run(throughput(address, given))
            case "flight":
                figures = asyncio.run(flight(address, process, given))
            case "hostile":
                figures = asyncio.run(hostile(address, given))
            case _:
                figures = asyncio.run(kills(address, process, given))
    print(json.dumps({"workers": given.workers, **figures}, indent=1))


if __name__ == "__main__":
    main()
