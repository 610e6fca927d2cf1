import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from steelyard.model.estimate import Estimate
from steelyard.model.gate import GateForm
from steelyard.model.report import AtK
from steelyard.model.verdict import Ground
from steelyard.render.markdown.renderer import (
    COMMENT_LENGTH,
    MarkdownRenderer,
)
from tests.analysis.comparisons import change, compared, comparison, mixed_comparison, pair, ref
from tests.analysis.gates import gate, judged
from tests.analysis.reports import (
    at_ks,
    bare_subject,
    case,
    interval,
    report,
    rerun,
    subject,
    suite,
    tiered_report,
)

MARKDOWN_REPORT = """\
**`acme/large` passes 77 % of 12 cases.**

| model | cases | samples | pass@1 | 95 % new cases | re-run | pass@5 | score | grade |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| `acme/large` | 12 | 60 | 0.7700 | 0.61–0.93 | 0.738–0.802 | – | 0.7700 | B |

- pass@5: not defined, 3 of 10 cases have fewer than 10 samples
- new cases: interval for new cases of the same kind; re-run: for these cases resampled

coverage: 12 of 12 cases seen; 0 missing, 0 unknown, 0 duplicate, 0 errored

flakiness: two samples of the same case disagree 12 % of the time; 25 % of the cases both passed and failed; ICC 0.70

warning: the column &#60;cost&#62; is empty

<details>
<summary>Every k with its intervals</summary>

| figure | value | 95 % new cases | re-run |
| --- | ---: | ---: | ---: |
| pass@1 | 0.7700 | 0.61–0.93 | 0.738–0.802 |
| pass@5 | – | – | – |
| pass^5 | 0.2500 | – | – |

re-run: unknown (a dash) for pass@k with fewer than 2k samples of a case

</details>

<details>
<summary>Cases (1)</summary>

| case | samples | passed | pass@1 | pass@5 | score | cost | latency (s) |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| `fizzbuzz` | 5 | 3 | 0.6000 | 1.0000 | 0.8000 | $0.0123 | 1.50 |

</details>

settings: scored by build-test-lint/1 (build = 2/5, tests = 1/2); graded on the scale `letters-95`; missing cases count as failures; errored samples are left out; contradicting duplicates stop the report; medians up to two million samples; intervals at 95 %; expected cases: a list of cases; made by steelyard 0.0.0
"""  # noqa: E501, RUF001  # the whole point is how it looks


def html(text: str) -> str:
    """Return what a reader of GitHub Markdown makes of a text."""
    return str(MarkdownIt("gfm-like").render(text))


def cells(text: str) -> list[list[str]]:
    """Return the cells of every table row that a reader sees."""
    rows = re.findall(r"<tr>(.*?)</tr>", html(text), re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]


def test_a_report_reads_from_the_answer_to_the_settings() -> None:
    first = AtK(k=1, estimate=Estimate.of(0.77, interval(0.61, 0.93), rerun(0.738, 0.802)))
    one = replace(bare_subject(), pass_at_k=(first, at_ks(0.77, None)[1]))

    whole = report(one, cases=[case("fizzbuzz")], warnings=["the column <cost> is empty"])

    assert MarkdownRenderer().render(whole) == MARKDOWN_REPORT


def test_a_comparison_begins_with_the_answer_and_folds_the_lists() -> None:
    text = MarkdownRenderer().render(mixed_comparison())

    assert text.startswith("**`acme/large` passes 80 %, before 83 %: no drop of 5 points or more.**")
    assert "| `basics` | `lru_cache` | 0.9000 | 0.6000 | -0.3000 | stands out (p = 0.004) |" in text
    assert text.count("<details>") == text.count("</details>") == 4


@pytest.mark.parametrize("name", ["a|b", "a\\|b", "a\nb", "`a`", "``|``", "<b>", "a\\", "|"])
def test_no_name_breaks_a_table(name: str) -> None:
    rows = cells(MarkdownRenderer().render(report(bare_subject(name), bare_subject("other"))))

    assert {len(row) for row in rows} == {7}


@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)</script>", "![x](http://x.y/z.png)", "[a](http://x.y)", "https://x.y", "www.x.y"],
)
@pytest.mark.parametrize("extra", ["", "|", "`"])
def test_no_name_or_warning_becomes_a_tag_a_picture_or_a_link(name: str, extra: str) -> None:
    whole = report(bare_subject(name + extra), warnings=[name + extra])

    read = html(MarkdownRenderer().render(whole))

    assert "<script" not in read
    assert "<img" not in read
    assert "<a " not in read


def test_nobody_is_called_and_no_issue_is_linked() -> None:
    whole = report(bare_subject("@team|"), warnings=["ask @team about #12"])

    text = MarkdownRenderer().render(whole)

    assert "@" not in text.replace("pass@", "")
    assert "ask &#64;<!-- -->team about &#35;<!-- -->12" in text


def test_many_of_everything_still_fit_into_a_comment() -> None:
    names = [f"{number:04}-{'long' * 40}" for number in range(600)]
    whole = report(
        *(subject(name) for name in names),
        suites=[suite(name, model=name) for name in names],
        cases=[case(name) for name in names],
        warnings=names,
    )

    text = MarkdownRenderer().render(whole)

    assert len(text) < COMMENT_LENGTH
    assert "more rows; `--format json` has everything" in text
    assert "settings:" in text


def test_a_large_comparison_fits_into_a_comment_and_counts_what_it_leaves_out() -> None:
    names = [f"case-{number}-{'x' * 100}" for number in range(5_000)]
    whole = comparison(
        regressions=[change(name, 0.9, 0.1) for name in names], listed=[ref(name) for name in names]
    )

    text = MarkdownRenderer().render(whole)

    assert len(text) < COMMENT_LENGTH
    assert "(a drop of more than 0.05) flags 5,000 cases; none of them stands out from noise." in text
    assert "and 4,800 more; --format json has all of them" in text


def test_a_large_redraw_fits_into_a_comment_and_keeps_the_command() -> None:
    names = [f"case-{number}-{'x' * 100}" for number in range(5_000)]
    again = judged(Ground.TOO_FEW_SAMPLES, resample=[ref(name) for name in names])

    text = MarkdownRenderer().render(gate(again, form=GateForm.FIRST_STAGE))

    assert len(text) < COMMENT_LENGTH
    assert "and 4,800 more rows; `--format json` has everything" in text
    assert "`steelyard gate --baseline baseline.json" in text


def test_a_small_report_is_shown_whole() -> None:
    text = MarkdownRenderer().render(tiered_report())

    assert "more row" not in text
    assert "### Tiers" in text


def test_pairs_of_different_names_are_shown_side_by_side() -> None:
    text = MarkdownRenderer().render(comparison(subjects=[compared(pair("old", "new"))]))

    assert "compared: `old` → `new`; made by" in text
