"""Flatten the numbers of a subject to a dict of names and floats, for metric stores.

Undefined numbers are omitted: 0 or NaN would look like measurements.
"""

from steelyard.model.estimate import Estimate, Target
from steelyard.model.report import Settings, SubjectSummary
from steelyard.render.document.labels import cases_in_means
from steelyard.render.numbers import interval_for


def metrics_by_name(subject: SubjectSummary, settings: Settings) -> dict[str, float]:
    """Return the numbers of a subject; `_low` and `_high` are the interval for new cases of the same kind.

    Names consist of lower-case letters, digits and `_`, which all stores accept.
    """
    counts: dict[str, float] = {
        "cases": cases_in_means(subject, settings),
        "samples": subject.samples,
        "passed": subject.passed,
        "errored": subject.coverage.errored,
        "missing": subject.coverage.missing,
    }
    tokens = {"tokens_in": subject.tokens_in, "tokens_out": subject.tokens_out}
    counts |= {name: count for name, count in tokens.items() if count}  # 0 means unknown
    for name, estimate in _estimates(subject).items():
        counts |= _with_bounds(name, estimate)
    cost = subject.cost_of_pass
    return counts if cost is None or cost.value is None else counts | {"cost_of_pass_usd": cost.value}


def _estimates(subject: SubjectSummary) -> dict[str, Estimate | None]:
    return {
        **{f"pass_at_{at.k}": at.estimate for at in subject.pass_at_k},
        **{f"pass_hat_{at.k}": at.estimate for at in subject.pass_hat_k},
        "pass_rate": subject.pass_rate,
        "score": subject.score,
        "build_rate": subject.build_rate,
        "test_pass_rate": subject.test_pass_rate,
        "total_cost_usd": subject.total_cost_usd,
        "mean_latency_s": subject.mean_latency_s,
        "latency_p95_s": subject.latency_p95_s,
    }


def _with_bounds(name: str, estimate: Estimate | None) -> dict[str, float]:
    if estimate is None or estimate.value is None:
        return {}
    interval = interval_for(Target.NEW_CASES, estimate)
    bounds = (None, None) if interval is None else (interval.low, interval.high)
    named = {name: estimate.value, f"{name}_low": bounds[0], f"{name}_high": bounds[1]}
    return {key: value for key, value in named.items() if value is not None}
