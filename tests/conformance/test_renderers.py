"""One suite for every renderer: what a plug-in must do with any record, however hostile."""

import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Protocol, cast

import pytest

from steelyard.model.comparison import Comparison
from steelyard.model.cost import CostOfPass
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.model.verdict import Ground, Verdict
from steelyard.plugins import COMPARISON_RENDERERS, GATE_RENDERERS, REPORT_RENDERERS, load
from steelyard.ports import ComparisonRenderer, GateRenderer, ReportRenderer
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


class Renderer(Protocol):
    """A renderer of whichever record."""

    def render(self, record: object, /) -> str: ...


@cache
def renderer(address: str) -> Renderer:
    return cast("Callable[[], Renderer]", load({"it": address}, "it", group="formats"))()


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
        judged(Ground.TOO_FEW_SAMPLES, of=pair("old", name, tier="T1"), redraw=[one]),
        form=name,
        missing=[one],
    )
    return replace(whole, generator=name)


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
}
RECORDS = {"report": REPORTS, "comparison": COMPARISONS, "gate": GATES}
ADDRESSES = {
    **{f"report-{form}": address for form, address in REPORT_RENDERERS.items()},
    **{f"comparison-{form}": address for form, address in COMPARISON_RENDERERS.items()},
    **{f"gate-{form}": address for form, address in GATE_RENDERERS.items()},
}
EVERY = [
    pytest.param(address, record, id=f"{form}-{name}")
    for form, address in ADDRESSES.items()
    for name, record in cast("dict[str, object]", RECORDS[form.partition("-")[0]]).items()
]
FOR_TERMINALS = [
    param for param in EVERY if "csv" not in str(param.id)
]  # CSV is data: names stay as they are
every_record = pytest.mark.parametrize(("address", "record"), EVERY)


@every_record
def test_the_same_record_always_gives_the_same_text(address: str, record: object) -> None:
    assert renderer(address).render(record) == renderer(address).render(record)


@every_record
def test_the_text_ends_in_one_newline_and_can_be_written(address: str, record: object) -> None:
    text = renderer(address).render(record)

    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert text.encode().decode() == text


@every_record
def test_nothing_is_printed(address: str, record: object, capfd: pytest.CaptureFixture[str]) -> None:
    renderer(address).render(record)

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("address", "record"), FOR_TERMINALS)
def test_no_control_character_of_a_name_reaches_a_terminal(address: str, record: object) -> None:
    text = renderer(address).render(record)

    assert not {unicodedata.name(char, repr(char)) for char in text if char != "\n" and _is_obeyed(char)}


@every_record
def test_not_a_number_and_infinity_are_never_written(address: str, record: object) -> None:
    words = renderer(address).render(record).lower().replace(",", " ").split()

    assert not {"nan", "inf", "-inf", "infinity", "-infinity"} & set(words)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["csv", "json"])
def test_data_formats_hold_every_name_unaltered(form: str, name: str) -> None:
    text = renderer(REPORT_RENDERERS[form]).render(report(subject(NAMES[name])))

    quoted = NAMES[name].replace('"', '""')
    assert quoted in text if form == "csv" else json.loads(text)["subjects"][0]["model"] == NAMES[name]


@pytest.mark.parametrize("form", COMPARISON_RENDERERS)
@pytest.mark.parametrize("kind", ["regressions", "improvements", "new_cases", "removed_cases"])
def test_no_change_is_lost(form: str, kind: str) -> None:
    found = [change("the-case", 0.5, 0.9)] if kind in {"regressions", "improvements"} else [ref("the-case")]

    text = renderer(COMPARISON_RENDERERS[form]).render(replace(comparison(), **{kind: tuple(found)}))  # type: ignore[arg-type]  # mypy cannot follow the name of the field

    assert "the-case" in text


@pytest.mark.parametrize("form", sorted(FOR_EYES))
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_verdict_is_the_first_word_for_people(form: str, name: str) -> None:
    text = renderer(GATE_RENDERERS[form]).render(SITUATIONS[name])

    words = text.partition('<h1 class="verdict')[2].partition(">")[2] if form == "html" else text.lstrip("*")
    assert words.startswith(SITUATIONS[name].verdict.value.upper())


@pytest.mark.parametrize("form", GATE_RENDERERS)
def test_no_broken_case_and_no_case_to_draw_again_is_lost(form: str) -> None:
    broken = gate(judged(Ground.BROKEN_CASES, broken=[ref("the-case")]))
    again = gate(judged(Ground.TOO_FEW_SAMPLES, redraw=[ref("the-case")]))

    assert all("the-case" in renderer(GATE_RENDERERS[form]).render(one) for one in (broken, again))


@pytest.mark.parametrize("verdict", Verdict)
def test_data_hold_the_verdict_as_it_is(verdict: Verdict) -> None:
    text = renderer(GATE_RENDERERS["json"]).render(replace(gate(), verdict=verdict))

    assert json.loads(text)["verdict"] == verdict.value


@pytest.mark.parametrize("form", sorted(FOR_EYES))
def test_coverage_is_part_of_every_report_for_people(form: str) -> None:
    text = renderer(REPORT_RENDERERS[form]).render(report(subject("a"), subject("b")))

    assert text.count("12 of 12 cases seen; 0 missing, 0 unknown, 0 duplicate, 2 errored") == 2


def test_every_renderer_fits_its_port() -> None:
    reports = [cast("ReportRenderer", renderer(address)) for address in REPORT_RENDERERS.values()]
    comparisons = [cast("ComparisonRenderer", renderer(address)) for address in COMPARISON_RENDERERS.values()]

    assert all(one.render(report=report()) for one in reports)
    gates = [cast("GateRenderer", renderer(address)) for address in GATE_RENDERERS.values()]
    assert all(one.render(comparison=comparison()) for one in comparisons)
    assert all(one.render(gate=gate()) for one in gates)


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
