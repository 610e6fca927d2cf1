"""Put the subjects of a report in order and number them: no picture tells them apart by colour alone."""

from dataclasses import dataclass

from steelyard.model.estimate import Estimate, Interval, Target
from steelyard.model.report import CaseSummary, Report, SubjectSummary
from steelyard.model.state import SubjectKey
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import subject_name
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import bounded_interval, estimate_at

COLOURS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSubject:
    """A subject and its number, from 1 for the one that passes most often.

    Where refusing is right in some case, `met` is the share of samples that ended as they should, by which
    subjects are ordered then.
    """

    number: int
    subject: SubjectSummary
    name: Markup
    met: Estimate | None = None

    @property
    def key(self) -> SubjectKey:
        """Whose place it is."""
        return SubjectKey(self.subject.model, self.subject.tier)

    @property
    def badge(self) -> Markup:
        """The number in a circle of the subject's colour."""
        return tag("span", str(self.number), class_=f"badge {self.colour}")

    @property
    def label(self) -> Markup:
        """The number and the name."""
        return joined(self.badge, " ", self.name)

    @property
    def colour(self) -> str:
        """The class that stands for the subject's colour; the ninth subject has that of the first."""
        return f"c{(self.number - 1) % COLOURS + 1}"

    @property
    def rate(self) -> Estimate:
        """The mean pass rate, or what stands for it, with the intervals that go with it."""
        if self.met is not None:
            return self.met
        first = estimate_at(self.subject.pass_at_k, 1)
        return first if first.value is not None else self.subject.overall.pooled

    def interval(self, target: Target) -> Interval | None:
        """How far the pass rate can be trusted, for one purpose."""
        return bounded_interval(target, self.rate)


def ranked_subjects(report: Report) -> tuple[RankedSubject, ...]:
    """Return the subjects, best first; those without a pass rate come last."""
    labels = Labels.of(report)
    met = [_met(subject, report) for subject in report.subjects]
    ordered = sorted(zip(report.subjects, met, strict=True), key=lambda item: _key(*item))
    return tuple(
        RankedSubject(
            number=number,
            subject=subject,
            name=subject_name(subject.model, subject.tier, labels),
            met=right,
        )
        for number, (subject, right) in enumerate(ordered, start=1)
    )


def rate_title(report: Report) -> str:
    """Return what the rate of the subjects is called."""
    return "as expected" if report.expects_refusal else "pass rate"


def _met(subject: SubjectSummary, report: Report) -> Estimate | None:
    return subject.expectation_met if report.expects_refusal else None


def cases_by_subject(report: Report) -> dict[SubjectKey, list[CaseSummary]]:
    """Return the cases of each subject, in the order of the report."""
    result: dict[SubjectKey, list[CaseSummary]] = {ranked.key: [] for ranked in ranked_subjects(report)}
    for case in report.cases:
        result.setdefault(SubjectKey(case.model, case.tier), []).append(case)
    return result


def _key(subject: SubjectSummary, met: Estimate | None) -> tuple[bool, float, float, str, str]:
    rate, score = (met or subject.pass_rate).value, subject.score.value
    return (rate is None, -(rate or 0.0), -(score or 0.0), subject.model, subject.tier)
