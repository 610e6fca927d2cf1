"""Render reports, comparisons and verdicts as JUnit XML, which CI servers show as tests.

Each case is a test. It passes if at least half of its samples passed: JUnit has no rates.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from steelyard.model.comparison import CaseRef, Comparison, ScoreChange
from steelyard.model.gate import CriticalCase, GateReport, SubjectGate
from steelyard.model.report import CaseSummary, Report
from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.model.trust import HoneypotSummary, SubjectIntegrity
from steelyard.model.verdict import Verdict
from steelyard.ports import Renderable
from steelyard.render.document.blocks import CodeSpan, Name, Piece, Prose
from steelyard.render.document.comparison import noise
from steelyard.render.document.gate_reasons import headline, reasons
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.requirements import decision_name
from steelyard.render.document.result_sentence import worst_first
from steelyard.render.kinds import JUDGED_KINDS, require_report
from steelyard.render.names import shortened, visible
from steelyard.render.numbers import share
from steelyard.render.words import counted

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
FAILURE, ERROR, SKIPPED = "failure", "error", "skipped"
PLURALS = {FAILURE: "failures", ERROR: "errors", SKIPPED: "skipped"}
ENDINGS = {Verdict.FAIL: FAILURE, Verdict.INCONCLUSIVE: SKIPPED, Verdict.PASS: None}
TEXT_LENGTH = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A test and its result; `ending` is None if it passed."""

    name: str
    ending: str | None = None
    kind: str = ""
    message: str = ""
    text: str = ""
    seconds: float | None = None


Suites = Mapping[str, Sequence[Entry]]


class JunitRenderer:
    """Any report, comparison or verdict as JUnit XML."""

    kinds = JUDGED_KINDS
    is_text = True
    shows_samples = True

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str:
        """Return the whole text, ending in a newline; failed tests of a report include the check output."""
        match result:
            case Comparison():
                return _xml(_of_comparison(result), _integrity(result.current_integrity))
            case GateReport():
                return _xml({"gate": _of_gate(result)}, _integrity(result.current_integrity))
        report = require_report(result, "junit")
        return _xml(_of_report(report, samples), _integrity(report.integrity))


def _of_report(report: Report, samples: Sequence[SampleExcerpt]) -> Suites:
    """Return a suite for each suite of each subject."""
    outputs: dict[CaseKey, str] = {}
    for sample in samples:
        if sample.passed is False and sample.detail:
            outputs.setdefault(sample.key, sample.detail)
    suites: defaultdict[str, list[Entry]] = defaultdict(list)
    for case in report.cases:
        suites[_suite_name(case.model, case.tier, case.suite)].append(_of_case(case, outputs, report))
    for honeypot in report.honeypots:
        suites[_suite_name(honeypot.model, honeypot.tier, "honeypots")] += _of_honeypots(honeypot)
    return suites


def _of_honeypots(honeypot: HoneypotSummary) -> list[Entry]:
    """Return a failed test for each passed honeypot; without any, a passed test."""
    message = "an answer passed a honeypot, which no honest answer does"
    failed = [
        Entry(name=case, ending=FAILURE, kind="honeypot", message=message) for case in honeypot.passed_cases
    ]
    return failed or [Entry(name="no honeypot was passed")]


def _integrity(subjects: Iterable[SubjectIntegrity]) -> dict[str, str]:
    """Return the number of samples by integrity and subject, as properties of every suite."""
    return {
        f"integrity {name}: {visible(subject.model)} ({visible(subject.tier)})": str(number)
        for subject in subjects
        for name, number in (
            ("sealed", subject.sealed),
            ("partial", subject.partial),
            ("open", subject.open),
            ("unknown", subject.unknown),
        )
    }


def _of_comparison(comparison: Comparison) -> Suites:
    """Return the cases of each suite: regressions fail, cases not compared are skipped."""
    suites: defaultdict[str, list[Entry]] = defaultdict(list)
    for change in (*comparison.regressions, *comparison.improvements):
        suites[_suite_name(change.model, change.tier, change.suite)].append(_of_change(change))
    lone = (
        (comparison.new_cases, None, ""),
        (comparison.removed_cases, SKIPPED, "in the baseline only"),
        (comparison.changed_cases, SKIPPED, "the case changed"),
        (comparison.without_evidence, SKIPPED, "without evidence on one side"),
    )
    for cases, ending, message in lone:
        for case in cases:
            test = Entry(name=case.case, ending=ending, message=message)
            suites[_suite_name(case.model, case.tier, case.suite)].append(test)
    return suites


def _of_gate(gate: GateReport) -> list[Entry]:
    """Return a test for each subject or requirement; an inconclusive verdict is a skipped test."""
    labels = PairLabels.of(subject.pair for subject in gate.subjects)
    tests = [test for subject in worst_first(gate.subjects) for test in _of_subject(subject, gate, labels)]
    tests += [_of_critical(critical_case) for critical_case in gate.critical_cases]
    tests += [
        Entry(name=name, ending=SKIPPED, message="critical, but missing from the report")
        for name in gate.unknown_critical
    ]
    tests += [
        _lone(case, "not compared: removed, changed or without evidence") for case in gate.missing_cases
    ]
    return tests


def _suite_name(model: str, tier: str, suite: str) -> str:
    return f"{visible(model)} ({visible(tier)}) {visible(suite)}"


def _of_case(case: CaseSummary, outputs: Mapping[CaseKey, str], report: Report) -> Entry:
    if case.missing:
        return Entry(name=case.case, ending=SKIPPED, message="no sample was generated")
    if not case.n:
        text = f"{counted(case.errored, 'sample')} ended in an infrastructure error"
        return Entry(name=case.case, ending=ERROR, kind="error", message=text)
    right = case.right(report.expects_refusal)
    how = "refused, as expected" if (case.suite, case.case) in report.expects_refusal else "passed"
    message = f"{right:,} of {counted(case.n, 'sample')} {how}"
    if 2 * right >= case.n:
        return Entry(name=case.case, seconds=case.mean_latency_s)
    text = outputs.get(CaseKey(case.model, case.tier, case.suite, case.case), "")
    return Entry(
        name=case.case, ending=FAILURE, kind="fail", message=message, text=text, seconds=case.mean_latency_s
    )


def _of_change(change: ScoreChange) -> Entry:
    if change.delta >= 0:
        return Entry(name=change.case)
    moved = f"score {share(change.baseline_score)} → {share(change.current_score)}"
    return Entry(name=change.case, ending=FAILURE, kind="regression", message=f"{moved}; {noise(change)}")


def _of_subject(subject: SubjectGate, gate: GateReport, labels: PairLabels) -> Iterable[Entry]:
    name = _plain(decision_name(subject, labels.pair(subject.pair), gate))
    why = "\n".join(_plain(reason) for reason in reasons(subject, gate))
    yield Entry(
        name=name,
        ending=ENDINGS[subject.decision.verdict],
        kind=subject.decision.verdict.value,
        message=_plain(headline(subject, labels, gate.rule)),
        text=why,
    )
    for case in subject.broken_cases:
        yield Entry(
            name=f"{visible(case.suite)}: {visible(case.case)}",
            ending=FAILURE,
            kind="broken case",
            message=f"noise does not explain the drop of this case of {name}",
        )
    for case in subject.resample.cases if subject.resample else ():
        yield _lone(case, f"needs {subject.resample.samples if subject.resample else 0} fresh samples")


def _of_critical(case: CriticalCase) -> Entry:
    name = f"critical: {visible(case.case.suite)}: {visible(case.case.case)} of {visible(case.case.model)}"
    failed = f"{case.failed:,} of {counted(case.samples, 'sample')} failed; none may fail"
    ending = ENDINGS[case.verdict]
    return Entry(name=name, ending=ending, kind=case.verdict.value, message=failed if ending else "")


def _lone(case: CaseRef, message: str) -> Entry:
    return Entry(name=f"{visible(case.suite)}: {visible(case.case)}", ending=SKIPPED, message=message)


def _plain(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text if isinstance(piece, Name | Prose | CodeSpan) else piece for piece in pieces)


def _xml(suites: Suites, properties: Mapping[str, str]) -> str:
    all_tests = [test for tests in suites.values() for test in tests]
    root = Element("testsuites", {"name": "steelyard", **_counts(all_tests, (FAILURE, ERROR))})
    for name, tests in suites.items():
        suite = SubElement(root, "testsuite", {"name": name, **_counts(tests, (FAILURE, ERROR, SKIPPED))})
        if properties:
            parent = SubElement(suite, "properties")
            for key, value in properties.items():
                SubElement(parent, "property", {"name": key, "value": value})
        for test in tests:
            _add(suite, test, name)
    indent(root)
    return HEAD + tostring(root, encoding="unicode") + "\n"


def _counts(tests: Sequence[Entry], endings: Iterable[str]) -> dict[str, str]:
    counts = {PLURALS[ending]: str(sum(test.ending == ending for test in tests)) for ending in endings}
    return {"tests": str(len(tests)), **counts}


def _add(suite: Element, test: Entry, class_name: str) -> None:
    attributes = {"name": visible(test.name), "classname": class_name}
    if test.seconds is not None:
        attributes["time"] = f"{test.seconds:.3f}"
    element = SubElement(suite, "testcase", attributes)
    if test.ending is None:
        return
    kind = {"type": test.kind} if test.kind else {}
    ending = SubElement(element, test.ending, {**kind, "message": visible(test.message)})
    if test.text:
        lines = shortened(test.text, TEXT_LENGTH).split("\n")
        ending.text = "\n".join(visible(line) if line else "" for line in lines)
