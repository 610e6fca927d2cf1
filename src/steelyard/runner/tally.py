"""Count what a run has done so far, by subject.

Counted while the run goes on, so a progress snapshot needs no query.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.metrics.cases import MeanSums
from steelyard.metrics.intervals import mean_interval_of_sums
from steelyard.model.outcome import Classification, Outcome
from steelyard.model.progress import UNCHECKED, PassRate, SubjectName, SubjectProgress
from steelyard.model.sample import Sample

LONGEST = 300  # characters of an error's message that are kept


class PassRates:
    """The pass rates of one subject's cases, as running sums from which an interval can be computed."""

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

    def snapshot(self) -> PassRate | None:
        """Return the mean over cases with its interval; None without evidence."""
        sums = self.sums
        if not sums.count:
            return None
        mean = min(1.0, max(0.0, self._total / sums.count))
        return PassRate(mean=mean, interval=mean_interval_of_sums(sums))


@dataclass(slots=True, kw_only=True)
class SubjectTally:
    """What has been done for one subject."""

    planned: int = 0
    drawn: int = 0  # committed, with an answer or an error
    checked: int = 0  # with evidence
    passed: int = 0
    cost_nano_usd: int = 0
    unpriced: int = 0  # answers of unknown cost
    errors: Counter[str] = field(default_factory=Counter)  # infrastructure errors by kind
    messages: dict[str, str] = field(default_factory=dict)  # the first of each kind
    broke_their_check: int = 0  # in this session, as is `had_longer`
    had_longer: int = 0
    rates: PassRates = field(default_factory=PassRates)

    def snapshot(self) -> SubjectProgress:
        """Return the counts as they are now."""
        return SubjectProgress(
            planned=self.planned,
            drawn=self.drawn,
            checked=self.checked,
            passed=self.passed,
            cost_nano_usd=self.cost_nano_usd,
            unpriced=self.unpriced,
            errors=dict(self.errors),
            error_messages=dict(self.messages),
            broke_their_check=self.broke_their_check,
            had_longer=self.had_longer,
            pass_rate=self.rates.snapshot(),
        )


class Tally:
    """What has been done for every subject."""

    def __init__(self, subjects: Mapping[SubjectName, SubjectTally]) -> None:
        self.subjects = subjects

    def add_sample(self, sample: Sample) -> None:
        """Count a sample that was committed."""
        found = self.subjects[sample.model, sample.tier]
        found.drawn += 1
        if sample.cost_nano_usd is None:
            found.unpriced += sample.error is None
        else:
            found.cost_nano_usd += sample.cost_nano_usd

    def add_outcome(self, sample: Sample, outcome: Outcome, *, passed: bool | None) -> None:
        """Count a check whose outcome was committed."""
        found = self.subjects[sample.model, sample.tier]
        found.broke_their_check += outcome.broke_its_check
        found.had_longer += outcome.had_longer
        if outcome.facts.classification is Classification.ERROR:
            kind, _, message = (sample.error or f"{UNCHECKED}: {outcome.detail}").partition(":")
            found.errors[kind] += 1
            found.messages.setdefault(kind, message.strip().partition("\n")[0][:LONGEST])
        else:
            found.checked += 1
            found.passed += passed is True
            found.rates.add(sample.suite, sample.case, evidence=1, passes=int(passed is True))

    @property
    def cost_nano_usd(self) -> int:
        """What the answers of all subjects cost."""
        return sum(subject.cost_nano_usd for subject in self.subjects.values())

    def snapshot(self) -> dict[SubjectName, SubjectProgress]:
        """Return the counts of every subject as they are now."""
        return {name: subject.snapshot() for name, subject in self.subjects.items()}
