"""Plan a run: how many samples it takes to see a drop, and how to share a budget among the cases.

Everything is fixed before the run; nothing here reads the run that is being planned.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from steelyard.analysis.case_counts import case_counts
from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.analysis.pairing import is_pass_share
from steelyard.errors import InputError, UnknownName, UserError
from steelyard.metrics.detection import Rates, assumed_rates, planned_chances, rates_seen, typical_rates
from steelyard.metrics.power import PROFILES, allocate, noise_after, noise_of_run, samples_needed, scaled
from steelyard.model.plan import Demand, SamplePlan
from steelyard.model.report import CaseSummary, Report
from steelyard.model.state import SubjectKey
from steelyard.model.verdict import DetectionChances

STEPS = (1, 2, 3, 5, 10)  # samples per case for which a plan says what could be seen
# Samples of each case, and of all cases, up to which a plan is simulated; above both, it takes minutes.
MOST_SIMULATED, MOST_IN_ALL = 20, 4000
GROWTH = 1.1  # from one number of samples to the next that is tried, from twenty on

DEFAULT_DEMAND = Demand()


class _Design(NamedTuple):
    """What is known of the cases before a run."""

    cases: int
    noise: float
    rates: Rates
    tests: int  # that share alpha

    def chances(self, samples: int, demand: Demand) -> DetectionChances:
        """Return what a gate sees with so many samples of each case in both runs."""
        alpha = demand.alpha / self.tests
        return planned_chances(self.rates, cases=self.cases, samples=samples, drop=demand.drop, alpha=alpha)

    def is_simulated(self, samples: int) -> bool:
        """Whether so many samples can be tried in seconds."""
        return samples <= MOST_SIMULATED or self.cases * samples <= MOST_IN_ALL


def plan_samples(report: Report, demand: Demand = DEFAULT_DEMAND) -> tuple[SamplePlan, ...]:
    """Plan from a past run, for each of its subjects."""
    require_fixed_samples(report, where="the report")
    plans = []
    subjects = _by_subject(report)
    for key, cases in subjects.items():
        counts = case_counts(cases, refusing=frozenset(report.expects_refusal))
        noise = noise_of_run(counts)
        if noise is None:
            raise InputError(
                f"{key.model} ({key.tier}): no case has two samples, so that its noise cannot be seen; "
                f"plan from a profile instead: `profile={next(iter(PROFILES))}` `cases={len(cases)}`"
            )
        name = f"{key.model} ({key.tier})"
        _require_room(name, float(counts.rates.mean()), demand)
        tests = len(subjects) * (2 if _scores_say_more(cases) else 1)
        plans.append(_plan(name, _Design(len(cases), noise, rates_seen(counts), tests), demand))
    return tuple(plans)


def _scores_say_more(cases: Sequence[CaseSummary]) -> bool:
    """Whether the gate tests scores beside passes, with half of alpha for each."""
    return any(case.score_n and not is_pass_share(case) for case in cases)


def _require_room(name: str, rate: float, demand: Demand) -> None:
    """Refuse a drop that cannot happen: no number of samples would show it."""
    if rate < demand.drop:
        raise UserError(
            f"{name} passes {100 * rate:.3g} % of its samples, so it cannot drop by "
            f"{100 * demand.drop:.3g} points; ask for a smaller `drop`"
        )


def plan_samples_by_profile(profile: str, *, cases: int, demand: Demand = DEFAULT_DEMAND) -> SamplePlan:
    """Plan from an assumed profile of how reliable the cases are."""
    if profile not in PROFILES:
        raise UnknownName(f"there is no profile {profile!r}; choose one of {', '.join(PROFILES)}")
    if cases < 1:
        raise UserError(f"`cases` must be at least 1, got {cases}")
    rates = assumed_rates(profile, cases=cases)
    _require_room(f"profile {profile}", float(typical_rates(rates).mean()), demand)
    return _plan(f"profile {profile}", _Design(cases, PROFILES[profile], rates, tests=1), demand)


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
        tests=design.tests,
    )


def _samples(design: _Design, demand: Demand) -> tuple[int, float | None]:
    """Return with how many samples the gate sees the drop, and how often; a formula says where to begin.

    Where too many would have to be simulated, the formula alone is there, corrected by the last simulation,
    and no chance. The gate looks for other damage as well, so that the test over all cases has about half of
    its alpha.
    """
    alpha = demand.alpha / design.tests / 2
    begin = partial(samples_needed, drop=demand.drop, cases=design.cases, alpha=alpha, power=demand.power)
    rates = typical_rates(design.rates)
    samples = begin(noise=min(design.noise, noise_after(rates, drop=0)))
    if not design.is_simulated(samples):
        return begin(noise=(design.noise + noise_after(rates, drop=demand.drop)) / 2), None
    while True:
        chance = design.chances(samples, demand).spread
        if chance >= demand.power:
            return samples, chance
        following = max(samples + 1, int(samples * GROWTH))
        if not design.is_simulated(following):
            return max(following, scaled(samples, chance=chance, alpha=alpha, power=demand.power)), None
        samples = following


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
    shares = allocate(case_counts(cases, refusing=frozenset(report.expects_refusal)), budget=budget)
    return {(case.suite, case.case): int(share) for case, share in zip(cases, shares, strict=True)}


def _by_subject(report: Report) -> dict[SubjectKey, list[CaseSummary]]:
    tables: dict[SubjectKey, list[CaseSummary]] = {}
    for case in report.cases:
        if case.n:
            tables.setdefault(SubjectKey(case.model, case.tier), []).append(case)
    if not tables:
        raise InputError("the report holds no case with evidence to plan from")
    return tables
