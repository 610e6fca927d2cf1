"""The pages as text: what is on them, what is escaped, what is left out; browser tests look at them."""

import base64
import gzip
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from typing_extensions import override

from steelyard.app.views import html_renderer
from steelyard.model.comparison import SuiteComparison
from steelyard.model.estimate import Estimate
from steelyard.model.report import Report
from steelyard.model.sample import CaseTexts, SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.render.charts.markup import Markup, joined, raw, tag
from steelyard.render.html import payload as packing
from steelyard.render.html.payload import payload
from tests.analysis.comparisons import change, comparison, mixed_comparison, pair
from tests.analysis.reports import interval, report, rerun, subject, suite, tiered_report
from tests.conformance.test_renderers import COMPARISONS, GATES, NAMES, REPORTS

WRITTEN = {
    **{f"report-{name}": html_renderer().render(one) for name, one in REPORTS.items()},
    **{f"comparison-{name}": html_renderer().render(one) for name, one in COMPARISONS.items()},
    **{f"gate-{name}": html_renderer().render(one) for name, one in GATES.items()},
}
VOID = {"meta", "br", "input"}


class Outline(HTMLParser):
    """Follows the elements of a page, and notes what does not close or stands twice."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.events: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.events += [name for name in found if name.startswith("on") or name in {"src", "style", "srcset"}]
        if tag not in VOID:
            self.open.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


def unpacked(text: str, name: str) -> Any:  # noqa: ANN401 - whatever was packed
    found = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', text)
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


@pytest.mark.parametrize("name", WRITTEN)
def test_every_element_closes_no_name_stands_twice_and_nothing_is_fetched(name: str) -> None:
    outline = Outline()
    outline.feed(WRITTEN[name])

    assert outline.faults == []
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert outline.events == []
    assert not re.search(r"""(?:href|action|xlink:href)=["'](?!#)""", WRITTEN[name])


@pytest.mark.parametrize("name", NAMES)
def test_no_name_becomes_a_tag(name: str) -> None:
    assert "<script>alert" not in WRITTEN[f"report-{name}"]
    assert "<script>alert" not in WRITTEN[f"comparison-{name}"]
    assert "<script>alert" not in WRITTEN[f"gate-{name}"]


def test_the_answer_comes_first() -> None:
    text = html_renderer().render(tiered_report())

    assert text.index(" pass") < text.index("<main")


def test_every_picture_of_a_report_is_there() -> None:
    text = html_renderer().render(tiered_report())

    found = re.findall(r'<section id="([a-z-]+)"', text)
    assert found == [
        "ranking",
        "cases",
        "failures",
        "suites",
        "tiers",
        "cost",
        "latency",
        "pass-at-k",
        "steadiness",
        "coverage",
    ]


def test_the_table_of_cases_holds_every_case_of_every_subject() -> None:
    whole = tiered_report()
    table = unpacked(html_renderer().render(whole), "table")

    assert table["cases"] == ["fizzbuzz", "lru_cache"]
    assert len(table["subjects"]) == 4
    assert all(column["n"] == [5, 5] and column["c"] == [3, 3] for column in table["columns"])
    assert table["columns"][0]["cost"] == [12_300_000, 12_300_000]


def excerpts(whole: Report, turns: int, *, length: int = 50) -> list[SampleExcerpt]:
    return [
        SampleExcerpt(
            key=CaseKey(one.model, one.tier, one.suite, one.case),
            attempt=turn,
            classification="fail",
            passed=False,
            text="\x1b[31m" + f"{one.case} {turn} ".ljust(length, "x"),
            text_length=length,
            detail="tab\tand\nline",
        )
        for turn in range(turns)
        for one in whole.cases
    ]


def test_samples_are_found_in_the_chunk_of_their_case_and_cannot_move_a_cursor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packing, "CHUNK", 100)
    whole = tiered_report()
    text = html_renderer().render(whole, samples=excerpts(whole, 3))

    table = unpacked(text, "table")
    assert table["starts"] == [0, 1]
    assert table["samples"] == 24
    second = unpacked(text, "samples-1")
    assert list(second) == ["1"]
    assert len(second["1"]) == 12
    assert second["1"][0][10].startswith("\\x1b[31mlru_cache 0")
    assert second["1"][0][12] == "tab\tand\nline"


def test_what_a_case_asks_is_packed_once_for_all_samples_of_a_subject() -> None:
    whole = tiered_report()
    about = CaseTexts(prompt="Write \x1b[31mit.", expected="", tests="assert it", reference="it = 1")
    text = html_renderer().render(whole, samples=[replace(one, about=about) for one in excerpts(whole, 3)])

    packed = unpacked(text, "samples-0")["0"]

    subjects = range(len(whole.subjects))
    assert [one for one in packed if isinstance(one[1], list)] == [
        [subject, ["Write \\x1b[31mit.", "", "assert it", "it = 1"]] for subject in subjects
    ]
    assert len(packed) == len(subjects) * (3 + 1)


def test_what_is_too_large_is_left_out_fairly(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tiered_report()
    many = excerpts(whole, 10, length=3_000)
    everything = payload(whole, many)
    monkeypatch.setattr(packing, "SAMPLES_SIZE", 500)

    some = payload(whole, many)

    assert everything.samples == 80
    assert some.samples in {8, 24}
    monkeypatch.setattr(packing, "SAMPLES_SIZE", 10)
    assert payload(whole, many).samples == 0


def test_samples_of_subjects_and_cases_that_the_report_does_not_know_are_left_out() -> None:
    whole = tiered_report()
    strange = [replace(one, key=one.key._replace(case="other")) for one in excerpts(whole, 1)]
    stranger = [replace(one, key=one.key._replace(model="other")) for one in excerpts(whole, 1)]

    assert payload(whole, [*strange, *stranger]).samples == 0


def test_many_suites_stand_below_each_other() -> None:
    names = [f"suite-{number:02d}" for number in range(20)]
    text = html_renderer().render(report(subject(), suites=[suite(name) for name in names]))

    assert text.count('<th scope="row"><bdi>suite-') >= 20


def test_a_comparison_says_its_verdict_first_and_shows_every_flip() -> None:
    text = html_renderer().render(mixed_comparison())

    assert text.index(": no drop of 5 points or more") < text.index("<main")
    assert text.index('id="regressions"') < text.index('id="improvements"') < text.index('id="change"')
    assert text.index('id="change"') < text.index("all cases together p = 0.41")
    assert all(name in text for name in ("lru_cache", "fizzbuzz", "parser", "elsewhere"))
    assert "stands out" in text


def test_suites_are_generated_where_there_are_several() -> None:
    change_of_all = Estimate.of(-0.1, interval(-0.2, 0.01), rerun(-0.15, -0.05))
    suites = [
        SuiteComparison(
            pair=pair(),
            suite=name,
            cases=5,
            baseline_pass_rate=0.9,
            current_pass_rate=0.8,
            pass_rate_change=change_of_all,
            worse=2,
            better=0,
        )
        for name in ("basics", "parsing")
    ]

    text = html_renderer().render(replace(comparison(), suites=tuple(suites)))

    assert '<section id="suites"' in text
    assert text.count("-10.0") >= 2


def test_very_many_changes_are_capped_with_a_count() -> None:
    drops = [change(f"case-{number}", 0.9, 0.2) for number in range(150)]

    assert "And 50 more cases" in html_renderer().render(comparison(regressions=drops))


def test_a_script_of_ours_cannot_be_ended_from_within() -> None:
    with pytest.raises(ValueError, match="contains </"):
        raw("script", "const x = '</SCRIPT>';")


def test_text_is_escaped_and_markup_is_not_escaped_twice() -> None:
    inner = tag("b", "<&>")

    assert joined("a & ", inner) == "a &amp; <b>&lt;&amp;&gt;</b>"
    assert isinstance(inner, Markup)
    assert (
        tag("p", title='"x" & <y>', hidden=True, id=None)
        == '<p title="&quot;x&quot; &amp; &lt;y&gt;" hidden></p>'
    )
