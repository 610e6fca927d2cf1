"""Plan a run: how many samples it takes to see a drop, and how to share a budget among the cases.

Everything is fixed before the run; nothing here reads the run that is being planned.
"""

from collections.abc import Mapping
from typing import NamedTuple

from steelyard.analysis.case_counts import case_counts
from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.errors import InputError, UnknownName, UserError
from steelyard.metrics.detection import Rates, assumed_rates, planned_chances, rates_seen
from steelyard.metrics.power import PROFILES, allocate, noise_of_run, samples_needed
from steelyard.model.plan import Demand, SamplePlan
from steelyard.model.report import CaseSummary, Report
from steelyard.model.state import SubjectKey
from steelyard.model.verdict import DetectionChances

STEPS = (1, 2, 3, 5, 10)  # samples per case for which a plan says what could be seen
MOST_SIMULATED = 20  # above, a simulation takes minutes, and the formula is near


DEFAULT_DEMAND = Demand()


class _Design(NamedTuple):
    """What is known of the cases before a run."""

    cases: int
    noise: float
    rates: Rates

    def chances(self, samples: int, demand: Demand) -> DetectionChances:
        """Return what a gate sees with so many samples of each case in both runs."""
        return planned_chances(
            self.rates, cases=self.cases, samples=samples, drop=demand.drop, alpha=demand.alpha
        )


def plan_samples(report: Report, demand: Demand = DEFAULT_DEMAND) -> tuple[SamplePlan, ...]:
    """Plan from a past run, for each of its subjects."""
    require_fixed_samples(report, where="the report")
    plans = []
    for key, cases in _by_subject(report).items():
        counts = case_counts(cases)
        noise = noise_of_run(counts)
        if noise is None:
            raise InputError(
                f"{key.model} ({key.tier}): no case has two samples, so that its noise cannot be seen; "
                f"plan from a profile instead: `profile={next(iter(PROFILES))}` `cases={len(cases)}`"
            )
        _require_room(key, float(counts.rates.mean()), demand)
        plans.append(
            _plan(f"{key.model} ({key.tier})", _Design(len(cases), noise, rates_seen(counts)), demand)
        )
    return tuple(plans)


def _require_room(key: SubjectKey, rate: float, demand: Demand) -> None:
    """Refuse a drop that cannot happen: no number of samples would show it."""
    if rate < demand.drop:
        raise UserError(
            f"{key.model} ({key.tier}) passes {100 * rate:.3g} % of its samples, so it cannot drop by "
            f"{100 * demand.drop:.3g} points; ask for a smaller `drop`"
        )


def plan_samples_by_profile(profile: str, *, cases: int, demand: Demand = DEFAULT_DEMAND) -> SamplePlan:
    """Plan from an assumed profile of how reliable the cases are."""
    if profile not in PROFILES:
        raise UnknownName(f"there is no profile {profile!r}; choose one of {', '.join(PROFILES)}")
    if cases < 1:
        raise UserError(f"`cases` must be at least 1, got {cases}")
    rates = assumed_rates(profile, cases=cases)
    return _plan(f"profile {profile}", _Design(cases, PROFILES[profile], rates), demand)


def _plan(subject: str, design: _Design, demand: Demand) -> SamplePlan:
    samples, chance = _samples(design, demand)
    return SamplePlan(
        subject=subject,
        cases=design.cases,
        noise=design.noise,
        demand=demand,
        samples=samples,
        chance=chance,
        chances={step: design.chances(step, demand) for step in STEPS},
    )


def _samples(design: _Design, demand: Demand) -> tuple[int, float | None]:
    """Return with how many samples the gate sees the drop, and how often; a formula says where to begin.

    Above some number only the formula is there, and no chance. The gate looks for other damage as well, so
    that the test over all cases has about half of alpha.
    """
    samples = samples_needed(
        drop=demand.drop, noise=design.noise, cases=design.cases, alpha=demand.alpha / 2, power=demand.power
    )
    while samples <= MOST_SIMULATED:
        chance = design.chances(samples, demand).spread
        if chance >= demand.power:
            return samples, chance
        samples += 1
    return samples, None


def allocate_samples(
    report: Report, *, budget: int, model: str | None = None, tier: str | None = None
) -> Mapping[tuple[str, str], int]:
    """Share a budget of samples among the cases of a past run, more where the outcome is open.

    Fixed before the run, so that every estimate stays unbiased; a case never gets fewer than one.
    """
    require_fixed_samples(report, where="the report")
    tables = _by_subject(report)
    fitting = [
        key
        for key in tables
        if model in {None, key.model, f"{key.model}@{key.tier}"} and tier in {None, key.tier}
    ]
    if len(fitting) != 1:
        known = ", ".join(f"{key.model}@{key.tier}" for key in tables)
        raise UserError(f"an allocation needs one subject; name it with `model`: {known}")
    [key] = fitting
    cases = tables[key]
    shares = allocate(case_counts(cases), budget=budget)
    return {(case.suite, case.case): int(share) for case, share in zip(cases, shares, strict=True)}


def _by_subject(report: Report) -> dict[SubjectKey, list[CaseSummary]]:
    tables: dict[SubjectKey, list[CaseSummary]] = {}
    for case in report.cases:
        if case.n:
            tables.setdefault(SubjectKey(case.model, case.tier), []).append(case)
    if not tables:
        raise InputError("the report holds no case with evidence to plan from")
    return tables
