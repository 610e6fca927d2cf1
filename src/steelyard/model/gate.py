"""The result of a gate; its JSON form is public and versioned."""

from dataclasses import dataclass
from enum import StrEnum

from steelyard.model.comparison import CaseRef, PairedSubject
from steelyard.model.policy import Metric, Requirement
from steelyard.model.shown import Shown
from steelyard.model.trust import SubjectIntegrity
from steelyard.model.verdict import GateDecision, GateRule, Ground, Verdict

GATE_SCHEMA = "steelyard.gate/2"


class GateForm(StrEnum):
    """How often a gate decides, and over which samples."""

    ONE_SHOT = "one-shot"
    FIRST_STAGE = "confirm, first stage"
    SECOND_STAGE = "confirm, second stage"
    ANYTIME = "anytime (SPRT)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resample:
    """Cases to resample in both runs, so many fresh samples each; the fresh samples alone decide."""

    cases: tuple[CaseRef, ...]
    samples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryingCase:
    """A case that a verdict rests on: how many samples passed in both reports.

    It `stands_out` if noise does not explain its own drop.
    """

    case: CaseRef
    baseline_passed: int
    baseline_samples: int
    current_passed: int
    current_samples: int
    stands_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectGate:
    """The gate's result for one pair of subjects, with cases by name.

    Under a policy it is about one `requirement`; without one, about passes and scores in all suites.
    `carried_by` are the cases with the largest drops, none where the verdict is a pass.
    `since` names the older baseline that it is judged against; None means the baseline itself.
    """

    pair: PairedSubject
    decision: GateDecision
    broken_cases: tuple[CaseRef, ...]
    standing_out: tuple[CaseRef, ...] = ()
    resample: Resample | None
    requirement: Requirement | None = None
    carried_by: tuple[CarryingCase, ...] = ()
    since: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalCase:
    """A case of which a policy lets no sample fail, as the current report has it.

    It fails with one failed sample, and is open without samples or if one of them ended in an infrastructure
    error.
    """

    case: CaseRef
    verdict: Verdict
    samples: int
    failed: int
    errored: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GateReport(Shown):
    """A verdict over all subjects: fail if one fails, else inconclusive if one is or is gone, else pass.

    With several subjects, or requirements of a policy, each gets its share of `rule.alpha`; `tests` says how
    many share it. Of `critical_cases` no sample may fail, whatever the tests say; `unknown_critical` are
    names of such cases that the current report does not have. `not_judged` are passes or scores that the
    reports hold and that no requirement is about. Where the last `history` kept baselines are judged against
    as well, `older_baselines` names those that there are, the newest first. `threshold_regressions` is what
    the plain threshold rule would have flagged, for comparison only. `missing_cases` of the baseline are
    gone, changed or without evidence in the current report; a gate passes without them only if the rule
    allows it.
    `fewer_samples` counts the cases of which the current report has fewer samples than the baseline.
    `addresses` are baseline and current report as the user named them, where cases are to be generated again.
    """

    schema: str = GATE_SCHEMA
    generator: str
    verdict: Verdict
    form: GateForm
    rule: GateRule
    threshold_regressions: int
    unpaired_cases: int
    missing_cases: tuple[CaseRef, ...] = ()
    fewer_samples: int = 0
    subjects: tuple[SubjectGate, ...]
    tests: int = 1
    critical_cases: tuple[CriticalCase, ...] = ()
    unknown_critical: tuple[str, ...] = ()
    not_judged: tuple[Metric, ...] = ()
    history: int | None = None
    older_baselines: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    baseline_integrity: tuple[SubjectIntegrity, ...] = ()
    current_integrity: tuple[SubjectIntegrity, ...] = ()

    @property
    def has_requirements(self) -> bool:
        """Whether each entry of `subjects` is about a requirement of a policy."""
        return any(subject.requirement is not None for subject in self.subjects)

    @property
    def has_policy(self) -> bool:
        """Whether a policy was judged by."""
        return self.has_requirements or bool(self.critical_cases or self.unknown_critical)

    @property
    def is_sequential(self) -> bool:
        """Whether the gate decides after every round, where the p-value of one test does not hold."""
        return self.form is GateForm.ANYTIME

    @property
    def is_confirmed(self) -> bool:
        """Whether samples that were generated to confirm decided."""
        return self.form is GateForm.SECOND_STAGE

    @property
    def lacks_only_samples(self) -> bool:
        """Whether nothing is open but for want of samples, and the current run did not save on them.

        Neither is true where cases are missing, our errors are many or suspects are still to be generated
        again.
        """
        if not self.subjects or self.fewer_samples or (self.missing_cases and not self.rule.allow_missing):
            return False
        if self.unknown_critical or any(case.verdict is not Verdict.PASS for case in self.critical_cases):
            return False
        return all(
            set(subject.decision.grounds) <= {Ground.TOO_FEW_SAMPLES, Ground.NOT_RULED_OUT}
            for subject in self.subjects
            if subject.decision.verdict is Verdict.INCONCLUSIVE
        )
