"""Count what a run has done so far, by subject, for whoever looks on.

Counted as it happens, so that looking costs nothing and asks no table.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.metrics.cases import MeanSums
from steelyard.model.classification import Classification
from steelyard.model.facts import Outcome
from steelyard.model.sample import Sample

SubjectName = tuple[str, str]  # model and tier


class PassRates:
    """The pass rates of one subject's cases, summed up so that an interval can be had at any moment."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], tuple[int, int]] = {}
        self._total = self._total_sq = 0.0

    def add(self, suite: str, case: str, *, evidence: int, passes: int) -> None:
        """Count samples of a case.

        >>> rates = PassRates()
        >>> rates.add("s", "a", evidence=1, passes=1)
        >>> rates.add("s", "a", evidence=1, passes=0)
        >>> rates.add("s", "b", evidence=2, passes=0)
        >>> rates.sums
        MeanSums(count=2, total=0.5, total_sq=0.25)
        """
        if not evidence:
            return
        n, c = self._counts.get((suite, case), (0, 0))
        before, after = c / n if n else 0.0, (c + passes) / (n + evidence)
        self._counts[suite, case] = n + evidence, c + passes
        self._total += after - before
        self._total_sq += after * after - before * before

    @property
    def sums(self) -> MeanSums:
        """The number of cases with evidence, the sum of their pass rates and that of the squares."""
        return MeanSums(count=len(self._counts), total=self._total, total_sq=self._total_sq)


@dataclass(slots=True, kw_only=True)
class SubjectTally:
    """What has been done for one subject."""

    planned: int = 0
    drawn: int = 0  # committed, whatever came of it
    checked: int = 0  # with evidence
    passed: int = 0
    cost_nano_usd: int = 0
    unpriced: int = 0  # answers whose cost nobody knows
    errors: Counter[str] = field(default_factory=Counter)  # our own, by kind
    rates: PassRates = field(default_factory=PassRates)

    @property
    def ended(self) -> int:
        """How many samples nothing more is to be done for."""
        return self.checked + self.errored

    @property
    def errored(self) -> int:
        """How many samples ended in our own error."""
        return self.errors.total()


class Tally:
    """What has been done for every subject."""

    def __init__(self, subjects: Mapping[SubjectName, SubjectTally]) -> None:
        self.subjects = subjects

    def drew(self, sample: Sample) -> None:
        """Count a sample that was committed."""
        found = self.subjects[sample.model, sample.tier]
        found.drawn += 1
        if sample.cost_nano_usd is None:
            found.unpriced += sample.error is None
        else:
            found.cost_nano_usd += sample.cost_nano_usd

    def saw(self, sample: Sample, outcome: Outcome, *, passed: bool | None) -> None:
        """Count a check whose outcome was committed."""
        found = self.subjects[sample.model, sample.tier]
        if outcome.facts.classification is Classification.ERROR:
            kind = "check" if sample.error is None else sample.error.partition(":")[0]
            found.errors[kind] += 1
        else:
            found.checked += 1
            found.passed += passed is True
            found.rates.add(sample.suite, sample.case, evidence=1, passes=int(passed is True))

    def total(self, name: str) -> int:
        """Return one count over all subjects, such as `drawn`."""
        return sum(int(getattr(subject, name)) for subject in self.subjects.values())

    def errors(self) -> Counter[str]:
        """Return our own errors of all subjects, by kind."""
        return sum((subject.errors for subject in self.subjects.values()), Counter())
