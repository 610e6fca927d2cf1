"""Hold one answer of a model, what it took to get it, and what a report shows of it.

The checks decide whether the answer is right.
"""

from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from steelyard.model.state import CaseKey

JUDGE_TIER = "judge"  # marks requests and replies of judges; no subject has this tier
TERMS_MARK = "-"  # in the digest of a judge's key, before the digest of rules and parameters


class SampleKey(NamedTuple):
    """Which answer: the subject, the case in the form given by its digest, and the attempt from 0."""

    model: str
    tier: str
    suite: str
    case: str
    digest: str
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One answer of one subject to one case; an unknown number is None, never 0.

    `digest` is the case's; money is in nano-USD and time in microseconds. `error` names the failure on
    our side, such as a provider that was down; such a sample is no evidence and may be generated again.
    `egress` is an agent's network log, as JSON.
    """

    model: str
    tier: str = "T0"
    suite: str = "default"
    case: str
    digest: str
    attempt: int
    text: str
    prompt_digest: str | None = None
    parameters_digest: str | None = None
    finish_reason: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    tokens_reasoning: int | None = None
    cost_nano_usd: int | None = None
    latency_us: int | None = None
    first_byte_us: int | None = None
    request_id: str | None = None
    generated_at_us: int | None = None
    error: str | None = None
    egress: str | None = None

    @property
    def key(self) -> SampleKey:
        """Which answer this is."""
        return SampleKey(self.model, self.tier, self.suite, self.case, self.digest, self.attempt)

    @property
    def answer_digest(self) -> str:
        """A name for the text: equal answers have equal names."""
        return text_digest(self.text)


def text_digest(text: str) -> str:
    """Return a short name for a text that differs whenever the text does.

    Half of a SHA-256: 2^64 texts would have to be tried for two with one name.

    >>> text_digest("fn main() {}")
    'ef32637cb9c3ec2e3968c9cbdf26a5e9'
    """
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTexts:
    """The prompt of a case in a tier and its expected results; empty if absent."""

    prompt: str = ""
    expected: str = ""  # what an answer that is text is compared with
    tests: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleExcerpt:
    """One checked sample; `text` and `detail` may be cut, `text_length` and `detail_length` are of the whole.

    An unknown number is None. `text` is None where the answer itself was never kept. `of_baseline` tells the
    samples of the baseline from the current ones where they go with a comparison. `about` is None where the
    run has no eval set, such as an imported log.
    """

    key: CaseKey
    attempt: int
    classification: str
    passed: bool | None
    score: float | None = None
    tests_passed: int | None = None
    tests_failed: int | None = None
    lint_warnings: int | None = None
    diagnostic_errors: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None
    text: str | None = None
    text_length: int = 0
    detail: str = ""
    detail_length: int = 0
    integrity: str | None = None
    sealed_assertions: int | None = None
    open_assertions: int | None = None
    of_baseline: bool = False
    about: CaseTexts | None = None

    @property
    def is_text_cut(self) -> bool:
        """Whether the answer goes on after `text`."""
        return self.text is not None and self.text_length > len(self.text)

    @property
    def is_detail_cut(self) -> bool:
        """Whether `detail` is truncated."""
        return self.detail_length > len(self.detail)
