"""Rank and number the subjects of a report: figures never rely on colour alone."""

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
    """A subject and its rank number, from 1 for the best.

    If some cases expect a refusal, the rank follows `met`: the share of samples that met the expectation.
    """

    number: int
    subject: SubjectSummary
    name: Markup
    met: Estimate | None = None

    @property
    def key(self) -> SubjectKey:
        """Model and tier."""
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
        """The CSS class of the subject's colour; colours repeat after eight subjects."""
        return f"c{(self.number - 1) % COLOURS + 1}"

    @property
    def rate(self) -> Estimate:
        """The rate that subjects are ranked by, with its intervals."""
        if self.met is not None:
            return self.met
        first = estimate_at(self.subject.pass_at_k, 1)
        return first if first.value is not None else self.subject.overall.pooled

    def interval(self, target: Target) -> Interval | None:
        """Return the bounded interval of the rate for one target."""
        return bounded_interval(target, self.rate)


def ranked_subjects(report: Report) -> tuple[RankedSubject, ...]:
    """Return the subjects, best first; those without a pass rate last."""
    labels = Labels.of(report)
    met = [_met(subject, report) for subject in report.subjects]
    ordered = sorted(zip(report.subjects, met, strict=True), key=lambda pair: _key(*pair))
    return tuple(
        RankedSubject(
            number=number,
            subject=subject,
            name=subject_name(subject.model, subject.tier, labels),
            met=expectation_met,
        )
        for number, (subject, expectation_met) in enumerate(ordered, start=1)
    )


def rate_title(report: Report) -> str:
    """Return the title of the subjects' rate."""
    return "as expected" if report.expects_refusal else "pass rate"


def _met(subject: SubjectSummary, report: Report) -> Estimate | None:
    return subject.expectation_met if report.expects_refusal else None


def cases_by_subject(report: Report) -> dict[SubjectKey, list[CaseSummary]]:
    """Return the cases of each subject, in the order of the report."""
    cases: dict[SubjectKey, list[CaseSummary]] = {ranked.key: [] for ranked in ranked_subjects(report)}
    for case in report.cases:
        cases.setdefault(SubjectKey(case.model, case.tier), []).append(case)
    return cases


def _key(subject: SubjectSummary, met: Estimate | None) -> tuple[bool, float, float, str, str]:
    rate, score = (met or subject.pass_rate).value, subject.score.value
    return (rate is None, -(rate or 0.0), -(score or 0.0), subject.model, subject.tier)
