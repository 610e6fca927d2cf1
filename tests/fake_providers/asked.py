"""What a server of the tests was asked, and what it may answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from steelyard.model.sample import text_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request. `nth` counts from 0 how often this prompt came before, `arrival` all requests."""

    vendor: str
    model: str
    prompt: str
    system: str
    key: str
    path: str
    body: Mapping[str, Any]
    nth: int = 0
    arrival: int = 0

    @property
    def digest(self) -> str:
        """A name for the prompt."""
        return text_digest(self.prompt)

    @property
    def seed(self) -> int | None:
        """The seed, where a vendor takes one; the runner's differs from attempt to attempt."""
        inside = self.body.get("generationConfig") or self.body
        seed: int | None = inside.get("seed")
        return seed

    @property
    def turn(self) -> int:
        """Which answer to this prompt is wanted: by the seed, or else by how often the prompt has come."""
        return self.nth if self.seed is None else self.seed

    @property
    def is_streamed(self) -> bool:
        """Whether the answer is wanted in pieces."""
        return bool(self.body.get("stream"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is answered; without numbers of tokens, words are counted."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    cached: int = 0
    cache_written: int = 0
    reasoning: int = 0
    thoughts: str = ""
    cost_usd: str | None = None  # OpenRouter says so


Answering = Callable[[Asked], "Answer | str"]


def echo(asked: Asked) -> Answer:
    """Answer with the prompt itself."""
    return Answer(text=asked.prompt)
