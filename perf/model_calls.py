"""Measure what a call to a model costs us: beside other clients, and ten thousand at once in one process.

The service is `tests.fake_providers` in a process of its own, on loopback. Nothing of it leaves the machine.
The bare client is aiohttp with nothing around it; `--peers openai=V/bin/python …` names, for each client of
`draw_peers.py` that takes part, a Python that has it.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import aiohttp

from perf.model_call_peers import cpu_per_call
from steelyard.errors import ProviderError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Request
from steelyard.model.sample import SampleKey
from steelyard.plugins import PROVIDERS, load
from steelyard.providers.llm.provider import LlmProvider

MODELS = {
    "openai": "openai/gpt-5.5",
    "anthropic": "anthropic/claude-opus-4-8",
    "google": "google/gemini-3-pro",
}
PATHS = {"openai": "/v1", "anthropic": "", "google": ""}
PEERS_SCRIPT = Path(__file__).parent / "draw_peers.py"
LIMIT_S = 900.0
PARAMETERS = Parameters(temperature=0.8, max_tokens=1000)


@dataclass(frozen=True, slots=True)
class Service:
    """A service that runs, and where it tells at its end what it saw."""

    port: int
    summary: Path

    def most_at_once(self) -> int:
        """Return how many calls it held at the same moment, once it has ended."""
        return int(json.loads(self.summary.read_text(encoding="utf-8"))["most_at_once"])


@contextmanager
def service(delay_s: float, folder: Path) -> Iterator[Service]:
    """Start a service of its own process; gone when the block ends."""
    port_file, summary = folder / f"port-{delay_s}", folder / f"summary-{delay_s}"
    command = [
        sys.executable,
        "-m",
        "tests.fake_providers",
        "--port-file",
        str(port_file),
        "--log",
        os.devnull,
    ]
    options = ["--delay", str(delay_s), "--at-most", "900", "--summary", str(summary)]
    with subprocess.Popen([*command, *options]) as process:
        try:
            _wait_for(port_file)
            yield Service(int(port_file.read_text(encoding="ascii")), summary)
        finally:
            process.terminate()
    port_file.unlink()


def _wait_for(path: Path) -> None:
    for _ in range(600):
        if path.exists():
            return
        time.sleep(0.05)
    raise TimeoutError("the service did not start")


def provider(vendor: str, port: int) -> LlmProvider:
    """Make a provider as the engine does."""
    url = f"http://127.0.0.1:{port}{PATHS[vendor]}"
    make = cast("Callable[[ProviderSettings], LlmProvider]", load(PROVIDERS, vendor, group="providers"))
    return make(ProviderSettings(name=vendor, base_url=url, timeout_s=300.0))


def request(vendor: str, number: int) -> Request:
    """Return a short question."""
    key = SampleKey(MODELS[vendor], "T0", "default", "case", "digest", number)
    return Request(key=key, prompt=f"Write the function number {number}.", parameters=PARAMETERS)


async def overhead(vendor: str, port: int, calls: int) -> tuple[float, float]:
    """Return the processor seconds of a call by us, and by a bare HTTP client that sends the same body."""
    ours = provider(vendor, port)
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": "Write the function."}],
        "temperature": 0.8,
    }
    async with aiohttp.ClientSession() as bare:

        async def bare_call(number: int) -> object:  # noqa: ARG001  # as the other
            async with bare.post(f"http://127.0.0.1:{port}/v1/chat/completions", json=body) as response:
                return (await response.json())["choices"][0]["message"]["content"]

        bare_s = await cpu_per_call(bare_call, calls)
        our_s = await cpu_per_call(lambda number: ours.generate(request(vendor, number)), calls)
    await ours.close()
    return our_s, bare_s


async def at_once(vendor: str, port: int, calls: int) -> tuple[float, list[str]]:
    """Make all calls at once; return the wall time, and what went wrong."""
    ours = provider(vendor, port)
    await ours.generate(request(vendor, -1))

    async def one(number: int) -> str | None:
        try:
            reply = await ours.generate(request(vendor, number))
        except ProviderError as error:
            return f"{error.kind}: {error}"
        return None if reply.text == f"Write the function number {number}." else "another answer"

    began = time.perf_counter()
    results = await asyncio.gather(*(one(number) for number in range(calls)))
    took_s = time.perf_counter() - began
    await ours.close()
    return took_s, [wrong for wrong in results if wrong]


def peer_overhead(python: str, name: str, port: int, calls: int) -> float:
    """Return the processor seconds of a call by another client."""
    command = [python, str(PEERS_SCRIPT), name, str(port), str(calls)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LIMIT_S)
    return float(ended.stdout.split()[-1])


def measure_overhead(vendors: Sequence[str], calls: int, folder: Path, peers: Sequence[str]) -> None:
    """Print what a call costs beside a bare one, and beside those of other clients."""
    with service(0.0, folder) as running:
        for name, _, python in (peer.partition("=") for peer in peers):
            peer_s = peer_overhead(python, name, running.port, calls)
            print(f"{name}'s client: {peer_s * 1e3:.2f} ms of processor time a call")
        for vendor in vendors:
            our_s, bare_s = asyncio.run(overhead(vendor, running.port, calls))
            print(
                f"{vendor}: {our_s * 1e3:.2f} ms of processor time a call, bare HTTP {bare_s * 1e3:.2f} ms: "
                f"ratio {our_s / bare_s:.1f}, {(our_s - bare_s) * 1e3:.2f} ms more"
            )


def measure_many(vendor: str, calls: int, delay_s: float, folder: Path) -> None:
    """Print how long many calls at once take, and how many of them were really held at once."""
    with service(delay_s, folder) as running:
        cpu_s = time.process_time()
        took_s, wrong = asyncio.run(at_once(vendor, running.port, calls))
        cpu_s = time.process_time() - cpu_s
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{vendor}: {calls} calls of {delay_s:g} s at once in {took_s:.1f} s ({cpu_s:.1f} s of processor), "
        f"{len(wrong)} failed, {running.most_at_once()} held at one moment, peak {peak_mb:.0f} MB"
    )
    assert not wrong, wrong[:3]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2_000, help="calls one after the other")
    parser.add_argument("--at-once", type=int, default=10_000, help="calls at once")
    parser.add_argument("--delays", type=float, nargs="*", default=[1.0, 90.0], help="seconds of a call")
    parser.add_argument("--vendors", nargs="*", default=list(MODELS))
    parser.add_argument("--peers", nargs="*", default=[], metavar="NAME=PYTHON", help="other clients")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        measure_overhead(options.vendors, options.calls, Path(folder), options.peers)
        for delay_s in options.delays:
            measure_many(options.vendors[0], options.at_once, delay_s, Path(folder))


if __name__ == "__main__":
    main()
