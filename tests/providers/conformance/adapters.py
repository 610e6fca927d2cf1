"""Every provider that is shipped, made so that it answers a prompt known beforehand.

To add one, add a line to `ADAPTERS`: its name, and a function that makes it and takes care of what it needs.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Reply, Request
from steelyard.model.sample import SampleKey
from steelyard.ports import Provider
from steelyard.providers.command.provider import CommandProvider
from steelyard.providers.llm.provider import LlmProvider
from steelyard.providers.replay import ReplayProvider
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.providers.agents import settings_for
from tests.providers.llm.calls import llm_provider
from tests.vendors.server import Behaviour, serving

PROMPT = "Say it."
ANSWER = "It — “quoted”, with\nan end\n"
KEY_NAME = "STEELYARD_CONFORMANCE_KEY"


class Ready(NamedTuple):
    """A provider that answers, and one of its kind that cannot."""

    good: Provider
    broken: Provider


Making = Callable[[Path], AbstractContextManager[Ready]]


def request(attempt: int = 0, *, prompt: str = PROMPT, model: str = "openai/some-model") -> Request:
    """Return what every adapter can answer."""
    key = SampleKey(model, "T0", "default", "case", "digest", attempt)
    return Request(key=key, prompt=prompt, parameters=Parameters(max_tokens=100))


def llm(vendor: str) -> Making:
    """A service over HTTP; the broken one has nobody at its address."""

    @contextmanager
    def made(folder: Path) -> Iterator[Ready]:
        with serving(Behaviour(answer=lambda asked: ANSWER)) as server:
            before = os.environ.get(KEY_NAME)
            os.environ[KEY_NAME] = "a key"
            try:
                yield Ready(_llm(vendor, server.url(vendor)), _llm(vendor, "http://127.0.0.1:9"))
            finally:
                os.environ.pop(KEY_NAME) if before is None else None

    return made


def _llm(vendor: str, url: str) -> LlmProvider:
    return llm_provider(ProviderSettings(name=vendor, base_url=url, timeout_s=30.0))


@contextmanager
def replay(folder: Path) -> Iterator[Ready]:
    """Recorded answers; the broken one has no record."""
    recorded = Reply(text=ANSWER, finish_reason="stop")
    yield Ready(
        ReplayProvider(lambda key: recorded, where="the record"),
        ReplayProvider(lambda key: None, where="no record"),
    )


@contextmanager
def command(folder: Path) -> Iterator[Ready]:
    """A little agent in a real sandbox; the broken one ends with an error."""
    sandbox = BubblewrapSandbox()
    says = f"import sys; sys.stdout.buffer.write({ANSWER.encode()!r})"
    try:
        yield Ready(
            CommandProvider(settings_for(says, "{max_tokens}"), sandbox=sandbox),
            CommandProvider(settings_for("raise SystemExit(3)", "{max_tokens}"), sandbox=sandbox),
        )
    finally:
        sandbox.close()


ADAPTERS: Mapping[str, Making] = {
    "openai": llm("openai"),
    "openai-responses": llm("openai-responses"),
    "anthropic": llm("anthropic"),
    "google": llm("google"),
    "replay": replay,
    "command": command,
}
