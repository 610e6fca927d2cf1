"""Gather the choices a report is made with; the defaults are those of the command line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from steelyard.errors import DomainError
from steelyard.model.classification import Classification
from steelyard.model.policy import Duplicates, Errors, Missing, SpreadLimit


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyBounds:
    """Latencies that score 1 (or faster) and 0 (or slower)."""

    good_s: Fraction
    bad_s: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """How outcomes become a report."""

    pass_k: tuple[int, ...] = (1,)
    missing: Missing = Missing.FAIL
    errors: Errors = Errors.EXCLUDE
    duplicates: Duplicates = Duplicates.ERROR
    spread: SpreadLimit = SpreadLimit.AUTO
    baseline_tier: str = "T0"
    suite_weights: Mapping[str, Fraction] = field(default_factory=dict)
    grade_scale: str = "seed"
    latency: LatencyBounds | None = None
    level: float = 0.95
    stop_rule: str | None = None
    expert_usd: Fraction | None = None  # what an expert takes for a case; caps the frontier
    # How good answers end, by suite and case, where that is not `pass`; a run's own set says it.
    expected_kinds: Mapping[tuple[str, str], Classification] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Take policies by their names too, as a notebook would give them; an unknown name is refused."""
        policies = {"missing": Missing, "errors": Errors, "duplicates": Duplicates, "spread": SpreadLimit}
        for name, kind in policies.items():
            given = getattr(self, name)
            if given not in list(kind):
                raise DomainError(f"{name} must be one of {', '.join(kind)}, got {given!r}")
            object.__setattr__(self, name, kind(given))
