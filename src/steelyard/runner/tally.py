"""Count the progress of a run by subject, in memory: snapshots need no query."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.model.outcome import Classification, Outcome
from steelyard.model.progress import UNCHECKED, SubjectName, SubjectProgress
from steelyard.model.sample import Sample

LONGEST = 300  # characters kept of an error message


@dataclass(slots=True, kw_only=True)
class SubjectTally:
    """The progress of one subject."""

    planned: int = 0
    generated: int = 0  # committed, with an answer or an error
    checked: int = 0  # with evidence
    passed: int = 0
    cost_nano_usd: int = 0
    unpriced: int = 0  # answers of unknown cost
    errors: Counter[str] = field(default_factory=Counter)  # infrastructure errors by kind
    messages: dict[str, str] = field(default_factory=dict)  # the first of each kind
    broke_their_check: int = 0  # in this session, as are the next two
    had_longer: int = 0
    memory_unlimited: int = 0

    def snapshot(self) -> SubjectProgress:
        """Return the current counts."""
        return SubjectProgress(
            planned=self.planned,
            generated=self.generated,
            checked=self.checked,
            passed=self.passed,
            cost_nano_usd=self.cost_nano_usd,
            unpriced=self.unpriced,
            errors=dict(self.errors),
            error_messages=dict(self.messages),
            broke_their_check=self.broke_their_check,
            had_longer=self.had_longer,
            memory_unlimited=self.memory_unlimited,
        )


class Tally:
    """The progress of every subject."""

    def __init__(self, subjects: Mapping[SubjectName, SubjectTally]) -> None:
        self.subjects = subjects

    def add_sample(self, sample: Sample) -> None:
        """Count a committed sample."""
        subject = self.subjects[sample.model, sample.tier]
        subject.generated += 1
        if sample.cost_nano_usd is None:
            subject.unpriced += sample.error is None
        else:
            subject.cost_nano_usd += sample.cost_nano_usd

    def add_outcome(self, sample: Sample, outcome: Outcome, *, passed: bool | None) -> None:
        """Count a committed outcome."""
        subject = self.subjects[sample.model, sample.tier]
        subject.broke_their_check += outcome.broke_its_check
        subject.had_longer += outcome.had_longer
        subject.memory_unlimited += not outcome.memory_limited
        if outcome.facts.classification is Classification.ERROR:
            kind, _, message = (sample.error or f"{UNCHECKED}: {outcome.detail}").partition(":")
            subject.errors[kind] += 1
            subject.messages.setdefault(kind, message.strip().partition("\n")[0][:LONGEST])
        else:
            subject.checked += 1
            subject.passed += passed is True

    @property
    def cost_nano_usd(self) -> int:
        """The cost of all answers."""
        return sum(subject.cost_nano_usd for subject in self.subjects.values())

    def snapshot(self) -> dict[SubjectName, SubjectProgress]:
        """Return the current counts by subject."""
        return {name: subject.snapshot() for name, subject in self.subjects.items()}
