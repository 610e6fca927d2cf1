"""Hold what a report shows of one sample: how its check ended, and the beginning of what was said."""

from dataclasses import dataclass

from steelyard.model.state import CaseKey


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleExcerpt:
    """One checked sample; `text` and `detail` may be cut, `text_length` is that of the whole answer.

    An unknown number is None. `text` is None where the answer itself was never kept.
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
