"""Serve the three protocols from a process of its own, until it is told to stop or its time is up.

python -m tests.fake_providers --port-file PORT --log LOG [--answers FILE] [--faults FILE] [--delay 0.1]
"""

import argparse
import asyncio
import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path

from tests.fake_providers.asked import Answer, Answering, Asked, echo
from tests.fake_providers.faults import never, read_plan
from tests.fake_providers.server import Behaviour, VendorServer


def read_answers(path: Path) -> Answering:
    """Read JSON lines of {contains, texts, model?, system?}: the first that fits answers, by its turn."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]

    def answer(asked: Asked) -> Answer:
        for line in lines:
            is_model = line.get("model", asked.model) == asked.model
            if is_model and line["contains"] in asked.prompt and line.get("system", "") in asked.system:
                return Answer(text=line["texts"][asked.turn % len(line["texts"])])
        return Answer(text="")

    return answer


async def serve(options: argparse.Namespace) -> None:
    """Serve, and tell the port when it can be used."""
    behaviour = Behaviour(
        answer=read_answers(options.answers) if options.answers else echo,
        faults=read_plan(options.faults) if options.faults else never,
        delay_s=options.delay,
    )
    with options.log.open("a", encoding="utf-8") as log:
        server = VendorServer(behaviour, log=log, keep=False)
        await server.start(options.port)
        written = options.port_file.with_suffix(".part")
        written.write_text(f"{server.port}\n", encoding="ascii")
        os.replace(written, options.port_file)  # noqa: PTH105  # whoever waits for the file finds it whole
        done = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, done.set)
        try:
            async with asyncio.timeout(options.at_most):
                await done.wait()
        except TimeoutError:
            pass
        await server.stop()
        if options.summary:
            told = {"requests": server.requests, "most_at_once": server.seen.most_at_once}
            options.summary.write_text(json.dumps(told), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m tests.fake_providers", description=__doc__)
    parser.add_argument("--port-file", type=Path, required=True, help="where the port is written")
    parser.add_argument("--log", type=Path, required=True, help="one JSON line for each request")
    parser.add_argument("--answers", type=Path, help="JSON lines: contains, texts, model; else an echo")
    parser.add_argument("--faults", type=Path, help="a JSON list of rules")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--summary", type=Path, help="written at the end: requests, most_at_once")
    parser.add_argument("--port", type=int, default=0, help="a port of your choice")
    parser.add_argument("--at-most", type=float, default=3600.0, help="seconds after which it ends by itself")
    asyncio.run(serve(parser.parse_args(arguments)))


if __name__ == "__main__":
    main()
