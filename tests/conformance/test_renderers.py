"""One suite for every renderer: what a plug-in must do with any record, however hostile."""

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

import pytest

from steelyard.app import formats
from steelyard.app.formats import RENDERERS
from steelyard.errors import UserError
from steelyard.model.comparison import Comparison
from steelyard.model.estimate import Estimate
from steelyard.model.gate import CriticalCase, GateReport
from steelyard.model.history import ChangePoint, History, HistoryEntry, SubjectHistory
from steelyard.model.matrix import MatrixPair, MatrixSubject, NextSample, SubjectMatrix
from steelyard.model.policy import Metric, Requirement
from steelyard.model.report import Report
from steelyard.model.summary import CostOfPass
from steelyard.model.verdict import Ground, Verdict
from steelyard.ports import Renderable
from tests.analysis.comparisons import change, compared, comparison, mixed_comparison, pair, ref
from tests.analysis.gates import SITUATIONS, gate, judged
from tests.analysis.reports import (
    at_ks,
    bare_subject,
    case,
    report,
    subject,
    suite,
    tiered_report,
    undefined_subject,
)

FOR_EYES = {"text", "markdown", "html"}  # CSV and JSON are data: names go through them unaltered
NAMES = {
    "pipe": "a|b\\|c",
    "newline": "two\nlines\r\nand more",
    "escape code": "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "tag": "<script>alert(1)</script>",
    "writing direction": "\u202egpj.exe\u2066\u200f",
    "separator": "a\u2028b\u0085c\x00d",
    "formula": '=HYPERLINK("http://x.y")',
    "markup": "[bold red]x[/] :smile: `x` *x* @team #1",
    "wide": "模型🦀",
    "nothing": "",
    "endless": "n" * 10_000,
}


def renderer(form: str, kind: type[Renderable] = Report) -> formats.Renderer:
    return formats.renderer(form, kind)


def rendered(form: str, record: Renderable) -> str:
    """Return what a format makes of a record, as text even if it is none."""
    found = renderer(form, type(record)).render(record)
    return found if isinstance(found, str) else found.decode("latin-1")


def hostile_report(name: str) -> Report:
    """Return a report with a name in every place that takes one."""
    settings = replace(
        report().settings, grade_scale=name, baseline_tier=name, expected_from=name, suite_weights={name: 1.0}
    )
    one = subject(name, name)
    missing = replace(one.coverage, missing=1, missing_cases=(name,), unknown=1, unknown_cases=(name,))
    whole = report(
        replace(one, coverage=missing, pass_at_k=at_ks(0.5, None)),
        bare_subject("other", "T1"),
        suites=[suite(name, model=name, tier=name), suite("other")],
        cases=[case(name, model=name, tier=name, suite=name)],
        warnings=[f"about {name}"],
        settings=settings,
    )
    return replace(whole, generator=name)


def hostile_comparison(name: str) -> Comparison:
    """Return a comparison with a name in every place that takes one."""
    return comparison(
        subjects=[compared(pair(name, name, tier=name)), compared(pair("old", "new", tier="T1"))],
        regressions=[change(name, 0.9, 0.1, model=name)],
        listed=[ref(name, model=name, suite=name)],
    )


def hostile_gate(name: str) -> GateReport:
    """Return a verdict with a name in every place that takes one."""
    one = ref(name, model=name, suite=name)
    whole = gate(
        judged(Ground.BROKEN_CASES, of=pair(name, name, tier=name), broken=[one]),
        judged(Ground.TOO_FEW_SAMPLES, of=pair("old", name, tier="T1"), resample=[one]),
        missing=[one],
    )
    return replace(whole, generator=name)


def hostile_policy(name: str) -> GateReport:
    """Return a verdict under a policy with a name in every place that takes one."""
    one = ref(name, model=name, suite=name)
    required = Requirement(metric=Metric.PASS, suites=(name,), margin=0.05)
    failed = CriticalCase(case=one, verdict=Verdict.FAIL, samples=5, failed=1, errored=0)
    whole = gate(replace(judged(Ground.BROKEN_CASES, broken=[one]), requirement=required))
    return replace(whole, critical_cases=(failed,), unknown_critical=(name,))


def matrix(name: str, tier: str = "T0") -> SubjectMatrix:
    """Return a matrix of two subjects with a name in every place that takes one."""
    return SubjectMatrix(
        generator=name,
        level=0.95,
        cases=6,
        left_out=1,
        subjects=(
            MatrixSubject(model=name, tier=tier, pass_rate=0.9),
            MatrixSubject(model="other", tier="T0", pass_rate=0.5),
        ),
        pairs=(
            MatrixPair(
                better=0, worse=1, difference=Estimate.of(0.4), p=0.2, p_adjusted=0.2, is_settled=False
            ),
        ),
        groups=((0, 1),),
        next_samples=(NextSample(model=name, tier=tier, suite=name, case=name),),
    )


def history(name: str) -> History:
    """Return a history of one subject with a name in every place that takes one."""
    entry = HistoryEntry(name=name, kept_at=name, note=name, pass_rate=Estimate.of(0.5))
    change = ChangePoint(first=1, change=-0.2, p=0.001, is_shown=True)
    subject = SubjectHistory(model=name, tier=name, cases=3, entries=(entry, entry), change_point=change)
    return History(generator=name, alpha=0.05, baselines=2, subjects=(subject,))


NEVER = CostOfPass(value=None, infinite=True, lower_bound=1.9315)
REPORTS = {
    "empty": report(),
    "undefined": report(undefined_subject()),
    "infinite": report(replace(subject(), cost_of_pass=NEVER)),
    "tiered": tiered_report(),
    "many cases": report(subject(), cases=[case(str(number)) for number in range(100)]),
    **{name: hostile_report(text) for name, text in NAMES.items()},
}
COMPARISONS = {
    "empty": comparison(subjects=(), unchanged=0),
    "mixed": mixed_comparison(),
    **{name: hostile_comparison(text) for name, text in NAMES.items()},
}
GATES = {
    "empty": gate(),
    **SITUATIONS,
    **{name: hostile_gate(text) for name, text in NAMES.items()},
    **{f"{name} in a policy": hostile_policy(text) for name, text in NAMES.items()},
}
MATRICES = {
    "empty": matrix("m"),
    **{name: matrix(text, tier=text) for name, text in NAMES.items()},
}
HISTORIES = {
    "empty": replace(history("m"), subjects=()),
    **{name: history(text) for name, text in NAMES.items()},
}
RECORDS: dict[type[Renderable], Mapping[str, Renderable]] = {
    Report: REPORTS,
    Comparison: COMPARISONS,
    GateReport: GATES,
    SubjectMatrix: MATRICES,
    History: HISTORIES,
}
EVERY = [
    pytest.param(form, record, id=f"{kind.__name__}-{form}-{name}")
    for kind, records in RECORDS.items()
    for form in formats.formats_for(kind)
    for name, record in records.items()
]
TEXTS = [param for param in EVERY if "parquet" not in str(param.id)]
FOR_TERMINALS = [
    param for param in TEXTS if "csv" not in str(param.id)
]  # CSV is data: names stay as they are
every_record = pytest.mark.parametrize(("form", "record"), EVERY)
every_text = pytest.mark.parametrize(("form", "record"), TEXTS)


@pytest.mark.parametrize("kind", RECORDS)
@pytest.mark.parametrize("form", RENDERERS)
def test_a_renderer_takes_the_kinds_it_names_and_no_others(form: str, kind: type[Renderable]) -> None:
    record = RECORDS[kind]["empty"]
    if kind in formats.renderer(form, Report).kinds:
        assert rendered(form, record)
        return
    with pytest.raises(UserError, match=f"{form} cannot show a .*; use one of text, json, markdown, html"):
        formats.renderer(form, kind)
    with pytest.raises(UserError, match=f"{form} supports reports only, not a "):
        formats.renderer(form, Report).render(record)


@pytest.mark.parametrize("form", RENDERERS)
def test_a_renderer_says_whether_it_gives_text(form: str) -> None:
    assert isinstance(renderer(form).render(report(subject())), str if renderer(form).is_text else bytes)


@every_record
def test_the_same_record_always_gives_the_same_text(form: str, record: Renderable) -> None:
    assert rendered(form, record) == rendered(form, record)


@every_text
def test_the_text_ends_in_one_newline_and_can_be_written(form: str, record: Renderable) -> None:
    text = rendered(form, record)

    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text.encode().decode() == text


@every_record
def test_nothing_is_printed(form: str, record: Renderable, capfd: pytest.CaptureFixture[str]) -> None:
    rendered(form, record)

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("form", "record"), FOR_TERMINALS)
def test_no_control_character_of_a_name_reaches_a_terminal(form: str, record: Renderable) -> None:
    text = rendered(form, record)

    assert not {unicodedata.name(char, repr(char)) for char in text if char != "\n" and _is_obeyed(char)}


@every_text
def test_not_a_number_and_infinity_are_never_written(form: str, record: Renderable) -> None:
    words = rendered(form, record).lower().replace(",", " ").split()
    allowed = {"inf"} if form == "csv" else set()  # a cost of pass without a pass, which is not unknown

    assert not {"nan", "inf", "-inf", "infinity", "-infinity"} & set(words) - allowed


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["csv", "json"])
def test_data_formats_hold_every_name_unaltered(form: str, name: str) -> None:
    text = rendered(form, report(subject(NAMES[name])))

    quoted = NAMES[name].replace('"', '""')
    assert quoted in text if form == "csv" else json.loads(text)["subjects"][0]["model"] == NAMES[name]


@pytest.mark.parametrize("form", formats.formats_for(Comparison))
@pytest.mark.parametrize("kind", ["regressions", "improvements", "new_cases", "removed_cases"])
def test_no_change_is_lost(form: str, kind: str) -> None:
    found = [change("the-case", 0.5, 0.9)] if kind in {"regressions", "improvements"} else [ref("the-case")]

    text = rendered(form, replace(comparison(), **{kind: tuple(found)}))  # type: ignore[arg-type]  # mypy cannot follow the name of the field

    assert "the-case" in text


@pytest.mark.parametrize("form", sorted(FOR_EYES))
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_verdict_is_the_first_word_for_people(form: str, name: str) -> None:
    text = rendered(form, SITUATIONS[name])

    words = text.partition('<h1 class="verdict')[2].partition(">")[2] if form == "html" else text.lstrip("*")
    assert words.startswith(SITUATIONS[name].verdict.value.upper())


@pytest.mark.parametrize("form", formats.formats_for(GateReport))
def test_no_broken_case_and_no_case_to_generate_again_is_lost(form: str) -> None:
    broken = gate(judged(Ground.BROKEN_CASES, broken=[ref("the-case")]))
    again = gate(judged(Ground.TOO_FEW_SAMPLES, resample=[ref("the-case")]))

    assert all("the-case" in rendered(form, one) for one in (broken, again))


@pytest.mark.parametrize("verdict", Verdict)
def test_data_hold_the_verdict_as_it_is(verdict: Verdict) -> None:
    text = rendered("json", replace(gate(), verdict=verdict))

    assert json.loads(text)["verdict"] == verdict.value


@pytest.mark.parametrize("form", sorted(FOR_EYES))
def test_coverage_is_part_of_every_report_for_people(form: str) -> None:
    text = rendered(form, report(subject("a"), subject("b")))

    assert text.count("12 of 12 cases seen; 0 missing, 0 unknown, 0 duplicate, 2 errored") == 1


def _is_obeyed(char: str) -> bool:
    """Whether a terminal or a page does something on seeing this character instead of showing it."""
    is_direction = unicodedata.bidirectional(char) in {
        "LRE",
        "RLE",
        "PDF",
        "LRO",
        "RLO",
        "LRI",
        "RLI",
        "FSI",
        "PDI",
    }
    return (
        unicodedata.category(char) in {"Cc", "Zl", "Zp", "Cs"} or is_direction or char in "\u200e\u200f\u061c"
    )
