"""Call the service of `draws.py` with another client, in its own environment, and say what a call costs.

`python -m venv V && V/bin/pip install openai`, or litellm, or inspect-ai and openai. Each client is set up as
its manual says, with its retries left as they are; the service never fails.
Run: V/bin/python perf/model_call_peers.py openai|litellm|inspect PORT CALLS
"""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from statistics import median
from typing import Any

PORTION = 200
WARM_UP = 20
MODEL = "gpt-4o"  # a name that every client knows
KEY = "no-key"  # the service asks for none

Call = Callable[[int], Awaitable[object]]


async def cpu_per_call(call: Call, calls: int) -> float:
    """Return the median over portions of the processor seconds that one call takes of this process.

    Not the wall time: the service shares the machine with us.
    """
    for number in range(WARM_UP):
        await call(number)
    times = []
    for start in range(0, calls, PORTION):
        began = time.process_time()
        for number in range(start, start + PORTION):
            await call(number)
        times.append((time.process_time() - began) / PORTION)
    return median(times)


def openai(address: str) -> Call:
    """Return a call by OpenAI's own library."""
    client: Any = import_module("openai").AsyncOpenAI(base_url=address, api_key=KEY)

    async def call(number: int) -> object:
        reply = await client.chat.completions.create(model=MODEL, messages=_messages(number), temperature=0.8)
        return reply.choices[0].message.content

    return call


def litellm(address: str) -> Call:
    """Return a call by litellm, which is kept from asking the network for prices."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    library: Any = import_module("litellm")
    library.telemetry = False

    async def call(number: int) -> object:
        reply = await library.acompletion(
            model=f"openai/{MODEL}",
            messages=_messages(number),
            temperature=0.8,
            api_base=address,
            api_key=KEY,
        )
        return reply.choices[0].message.content

    return call


def inspect(address: str) -> Call:
    """Return a call by a model of Inspect."""
    library: Any = import_module("inspect_ai.model")
    config = library.GenerateConfig(temperature=0.8)
    model = library.get_model(f"openai/{MODEL}", base_url=address, api_key=KEY, config=config)

    async def call(number: int) -> object:
        return (await model.generate(_messages(number)[0]["content"])).completion

    return call


def _messages(number: int) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"Write the function number {number}."}]


PEERS: dict[str, Callable[[str], Call]] = {"openai": openai, "litellm": litellm, "inspect": inspect}


async def measured(name: str, port: int, calls: int) -> float:
    """Return the processor seconds of a call; raises where the answer is another than the service gives."""
    call = PEERS[name](f"http://127.0.0.1:{port}/v1")
    answer = await call(7)
    if answer != _messages(7)[0]["content"]:
        raise ValueError(f"{name} got another answer: {answer!r}")
    return await cpu_per_call(call, calls)


if __name__ == "__main__":
    print(asyncio.run(measured(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
