"""Hold the request for one sample, and the reply.

The same records go to a service, to an agent's command line and to recorded answers.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache

from steelyard.model.quota import Quota
from steelyard.model.sample import SampleKey, text_digest
from steelyard.model.task import Task

REMEMBERED = 256  # digests: the attempts of one case follow each other and have equal requests


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """How an answer is generated; what is None is left to the model."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None

    @property
    def digest(self) -> str:
        """A name for these parameters: equal ones have equal names.

        >>> Parameters(temperature=0.8).digest == Parameters(temperature=0.80).digest
        True
        """
        return _digest_of(self.temperature, self.top_p, self.max_tokens, self.seed)

    def as_text(self) -> dict[str, str]:
        """Return the parameters that are set, as `run.json` holds them.

        >>> Parameters(temperature=0.8, seed=7).as_text()
        {'temperature': '0.8', 'seed': '7'}
        """
        return {name: f"{value:.15g}" for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The request for one sample.

    `context` are files that every reader is shown with the prompt; `files` are the case's own, which an
    agent finds in its folder. `through` names another provider than the model's own, such as the agent
    of a tier. `fence` is the token of a judge's request, to be kept with the reply.
    """

    key: SampleKey
    prompt: str
    system_prompt: str = ""
    context: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    parameters: Parameters = field(default_factory=Parameters)
    through: str = ""
    fence: str = ""
    task: Task | None = None  # for an agent in a container

    @property
    def provider(self) -> str:
        """The provider: the part of the model's name before the first slash, unless `through` names another.

        >>> from steelyard.model.sample import SampleKey
        >>> Request(key=SampleKey("openrouter/meta/llama", "T0", "s", "c", "d", 0), prompt="").provider
        'openrouter'
        """
        return self.through or self.key.model.partition("/")[0]

    @property
    def model_name(self) -> str:
        """The provider's name for the model: everything after the first slash."""
        return self.key.model.partition("/")[2]

    @property
    def prompt_digest(self) -> str:
        """A digest of the request without its attempt."""
        shown, beside = tuple(sorted(self.context.items())), tuple(sorted(self.files.items()))
        return _digest_of(self.system_prompt, self.prompt, shown, beside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The tokens that a reply took; an unknown number is None, never 0.

    `tokens_in` counts all of the prompt, with what came from or went into a cache; `tokens_out` all that was
    written, with reasoning.
    """

    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None  # of the prompt, read from a cache
    tokens_cache_written: int | None = None  # of the prompt, put into a cache
    tokens_reasoning: int | None = None  # of the answer, never shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The reply. `cost_nano_usd` is the cost as the provider states it; most state none.

    `egress` is an agent's network log, as JSON; None without network access.
    `fence` is there only in a judge's reply that was kept: the token of the request that it replied to.
    `is_kept` marks a judge's reply that was given before this session, or comes from a record.
    `quotas` are the limits that the response stated; they set the pace and are not kept.
    """

    text: str
    finish_reason: str | None = None  # stop, length, content_filter, tool_call, error
    usage: Usage = field(default_factory=Usage)
    cost_nano_usd: int | None = None
    first_byte_us: int | None = None
    latency_us: int | None = None
    request_id: str | None = None
    fence: str | None = None
    is_kept: bool = False
    egress: str | None = None
    quotas: tuple[Quota, ...] = ()


@lru_cache(REMEMBERED)
def _digest_of(*parts: object) -> str:
    return text_digest(json.dumps(parts))
