"""Every provider that is shipped, made so that it answers a prompt known beforehand.

To add one, add a line to `ADAPTERS`: its name, and a function that makes it and takes care of what it needs.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

from typing_extensions import override

from steelyard.model.config import ProviderSettings
from steelyard.model.execution import Command, ExecResult
from steelyard.model.request import Parameters, Reply, Request
from steelyard.model.sample import SampleKey
from steelyard.ports import Provider
from steelyard.providers.command.provider import CommandProvider
from steelyard.providers.llm.provider import LlmProvider
from steelyard.providers.replay import ReplayProvider
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.fake_providers.faults import Fault
from tests.fake_providers.server import Behaviour, serving
from tests.providers.agents import settings_for
from tests.providers.llm.calls import llm_provider

PROMPT = "Say it."
ANSWER = "It — “quoted”, with\nan end\n"
KEY_NAME = "STEELYARD_CONFORMANCE_KEY"


class Ready(NamedTuple):
    """A provider that answers, one of its kind that cannot, and the number of attempts of the latter."""

    good: Provider
    broken: Provider
    attempts: Callable[[], int]


Making = Callable[[Path], AbstractContextManager[Ready]]


def request(attempt: int = 0, *, prompt: str = PROMPT, model: str = "openai/some-model") -> Request:
    """Return what every adapter can answer."""
    key = SampleKey(model, "T0", "default", "case", "digest", attempt)
    return Request(key=key, prompt=prompt, parameters=Parameters(max_tokens=100))


def llm(vendor: str) -> Making:
    """A service over HTTP; the broken one is overloaded."""

    @contextmanager
    def made(folder: Path) -> Iterator[Ready]:
        overloaded = Behaviour(faults=lambda _: Fault(name="overloaded"))
        with serving(Behaviour(answer=lambda asked: ANSWER)) as server, serving(overloaded) as broken:
            before = os.environ.get(KEY_NAME)
            os.environ[KEY_NAME] = "a key"
            try:
                yield Ready(
                    _llm(vendor, server.url(vendor)),
                    _llm(vendor, broken.url(vendor)),
                    lambda: len(broken.seen.asked),
                )
            finally:
                os.environ.pop(KEY_NAME) if before is None else None

    return made


def _llm(vendor: str, url: str) -> LlmProvider:
    return llm_provider(ProviderSettings(name=vendor, base_url=url, timeout_s=30.0))


@contextmanager
def replay(folder: Path) -> Iterator[Ready]:
    """Recorded answers; the broken one has no record."""
    recorded = Reply(text=ANSWER, finish_reason="stop")
    lookups = list[SampleKey]()
    yield Ready(
        ReplayProvider(lambda key: recorded, where="the record"),
        ReplayProvider(lookups.append, where="no record"),
        lambda: len(lookups),
    )


class CountingSandbox(BubblewrapSandbox):
    """Counts the commands that it runs."""

    runs = 0

    @override
    def run(self, command: Command) -> ExecResult:
        self.runs += 1
        return super().run(command)


@contextmanager
def command(folder: Path) -> Iterator[Ready]:
    """A little agent in a real sandbox; the broken one ends with an error."""
    sandbox, broken = BubblewrapSandbox(), CountingSandbox()
    says = f"import sys; sys.stdout.buffer.write({ANSWER.encode()!r})"
    try:
        yield Ready(
            CommandProvider(settings_for(says, "{max_tokens}"), sandbox=sandbox),
            CommandProvider(settings_for("raise SystemExit(3)", "{max_tokens}"), sandbox=broken),
            lambda: broken.runs,
        )
    finally:
        sandbox.close()
        broken.close()


ADAPTERS: Mapping[str, Making] = {
    "openai": llm("openai"),
    "openai-responses": llm("openai-responses"),
    "anthropic": llm("anthropic"),
    "google": llm("google"),
    "replay": replay,
    "command": command,
}
