import re
from dataclasses import replace

import pytest

from steelyard.model.summary import CostOfPass, Coverage
from steelyard.render.text import TextRenderer
from tests.analysis.comparisons import SITUATIONS as COMPARISONS
from tests.analysis.comparisons import comparison, mixed_comparison
from tests.analysis.gates import clear_drop, first_stage, noise, too_little_data
from tests.analysis.reports import at_ks, bare_subject, case, report, standing, subject, tiered_report

ANSI = re.compile(r"\x1b\[[0-9;]*m")

PLAIN_REPORT = """\
acme/large and acme/small pass 77 % each.

model       rank     cases  samples  pass@1  95 % new cases       re-run  pass@5   score  95 % new cases  grade
----------------------------------------------------------------------------------------------------------------------------
acme/large  1 (1–2)     12       60  0.7700       0.61–0.93  0.738–0.802  0.9997  0.8550       0.70–0.96  B (61 %), A (39 %)
acme/small  2 (1–2)     12       60  0.5000               –            –       –  0.6100       0.70–0.96  B (61 %), A (39 %)
pass@5 of acme/small: not defined, 3 of 10 cases have fewer than 10 samples
new cases: interval for new cases of the same kind; re-run: for these cases resampled
rank: by pass rate, in brackets the ranks plausible for new cases of the same kind; not significantly worse than the best: acme/large and acme/small
grade: of the mean score; in brackets the probability of a letter for new cases of the same kind

Builds, costs and times
model       build rate  test rate     cost              cost of pass   95 % new cases  on the front  latency (s)
----------------------------------------------------------------------------------------------------------------
acme/large      0.9500     0.9000  $0.4120                   $0.0090  $0.0071–$0.0112         100 %         1.20
acme/small      0.9500     0.9000  $0.4120  ≥ $1.93 (0 of 60 passed)                –          28 %         1.20
cost of pass: all costs divided by all passes, over all cases together
on the front: probability that no other model is both cheaper and better

coverage of acme/large: 12 of 12 cases seen; 0 missing, 0 unknown, 0 duplicate, 2 errored (left out)
coverage of acme/small: 10 of 12 cases seen; 2 missing (counted as failures), 0 unknown, 0 duplicate, 0 errored
missing cases of acme/small: lru_cache and parser

flakiness of acme/large: two samples of the same case disagree 12 % of the time; 25 % of the cases both passed and failed; ICC 0.70
flakiness of acme/small: two samples of the same case disagree 12 % of the time; 25 % of the cases both passed and failed; ICC 0.70

warning: acme/small (T0): 2 cases without a sample, counted as failures

How samples failed
model       failed  wrong  no build  timeout
--------------------------------------------
acme/large      14      9         3        2
acme/small      14      9         3        2

Every k with its intervals
model       figure   value  95 % new cases       re-run
-------------------------------------------------------
acme/large  pass@1  0.7700       0.61–0.93  0.738–0.802
acme/large  pass@5  0.9997       0.80–1.00            –
acme/large  pass^5  0.2500               –            –
acme/small  pass@1  0.5000               –            –
acme/small  pass@5       –               –            –
acme/small  pass^5  0.2500               –            –
re-run: unknown (a dash) for pass@k with fewer than 2k samples of a case

Cases (2)
model       case       samples  passed  pass@1  pass@5   score     cost  latency (s)
------------------------------------------------------------------------------------
acme/large  fizzbuzz         5       3  0.6000  1.0000  0.8000  $0.0123         1.50
acme/small  lru_cache  missing       0       –       –       –        –            –
pass@1, pass@5, score, cost and latency (s) of lru_cache (acme/small): not defined, the outcomes have no such data

settings: scored by build-test-lint/1 (build = 2/5, tests = 1/2); graded on the scale letters-95; missing cases count as failures; errored samples are left out; contradicting duplicates stop the report; medians up to two million samples; intervals at 95 %; expected cases: a list of cases; made by steelyard 0.0.0
"""  # noqa: E501, RUF001  # the whole point is how it looks

PLAIN_COMPARISON = """\
acme/large passes 80 %, before 83 %: no drop of 5 points or more.

acme/large: pass rate 0.8333 → 0.8000 over 15 cases, -3.3 points (95 % on a re-run -9.1 to +2.4); all cases together p = 0.41, odds ratio 0.71; power: a drop of 5 points is detected in about 89 % of comparisons, one broken case in about 66 %.

The threshold rule (a drop of more than 0.05) flags 2 cases; 1 of them stands out from noise. Also: 1 improvement, 12 unchanged; not compared: 1 new, 1 removed, 1 changed, 1 without evidence.

Regressions by the threshold rule, largest first
suite   case       baseline  current     change  noise?
--------------------------------------------------------------------------
basics  lru_cache    0.9000   0.6000    -0.3000  stands out (p = 0.004)
basics  fizzbuzz     0.9000   0.8500  -0.050001  could be noise (p = 0.24)
p is for one case alone; among many cases, some small values occur by chance

Improvements, largest first
suite   case    baseline  current   change
------------------------------------------
basics  parser    0.1000   0.9000  +0.8000

Change in points
model       cases  worse  better  pass rate  95 % new cases        re-run  score  95 % new cases        re-run  odds ratio  p of a drop
---------------------------------------------------------------------------------------------------------------------------------------
acme/large     15      3       2       -3.3   -12.0 to +5.4  -9.1 to +2.4   -2.1   -10.0 to +6.0  -8.0 to +3.8        0.71         0.41
new cases: interval for new cases of the same kind; re-run: for these cases resampled

New cases, in the current report only (1)
suite   case
-----------------
basics  elsewhere

Removed cases, in the baseline only (1)
suite   case
-----------------
basics  elsewhere

Changed cases, so not compared (1)
suite   case
-----------------
basics  elsewhere

Cases without evidence on one side, so not compared (1)
suite   case
-----------------
basics  elsewhere

compared: acme/large; made by steelyard 0.0.0
"""  # noqa: E501  # the whole point is how it looks


def test_a_plain_report_reads_from_the_answer_to_the_settings() -> None:
    never = CostOfPass(value=None, infinite=True, lower_bound=1.9315)
    names = ("lru_cache", "parser")
    small = replace(
        subject("acme/small", score=0.61),
        pass_at_k=at_ks(0.5, None),
        cost_of_pass=never,
        coverage=Coverage(
            expected=12, seen=10, missing=2, unknown=0, duplicate=0, errored=0, missing_cases=names
        ),
        standing=standing(2, 1, 2, top=True, front=0.28),
    )
    large = replace(subject(), standing=standing(1, 1, 2, top=True, front=1.0))
    absent = replace(
        case("lru_cache", model="acme/small"),
        n=0,
        c=0,
        missing=True,
        pass_at_k=(),
        mean_score=None,
        cost_usd=None,
        mean_latency_s=None,
    )
    warning = "acme/small (T0): 2 cases without a sample, counted as failures"

    whole = report(large, small, cases=[case("fizzbuzz"), absent], warnings=[warning])

    assert TextRenderer().render(whole) == PLAIN_REPORT


def test_a_plain_comparison_reads_from_the_answer_to_what_was_not_compared() -> None:
    assert TextRenderer().render(mixed_comparison()) == PLAIN_COMPARISON


@pytest.mark.parametrize("whole", [report(), report(bare_subject()), tiered_report()])
def test_plain_text_has_no_codes_no_lines_generated_and_no_trailing_spaces(whole: object) -> None:
    text = TextRenderer().render(whole)  # type: ignore[arg-type]  # every one of them is a report

    assert "\x1b" not in text
    assert not re.search(r"[\u2500-\u259f]| $", text, re.MULTILINE)


def test_plain_text_does_not_depend_on_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = TextRenderer().render(tiered_report())

    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")

    assert TextRenderer().render(tiered_report()) == before


def test_a_coloured_report_does_not_depend_on_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    before = TextRenderer(color=True, width=100).render(tiered_report())

    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")

    assert TextRenderer(color=True, width=100).render(tiered_report()) == before


def test_plain_text_neither_shortens_nor_wraps_a_name() -> None:
    name = "long name " * 1_000

    text = TextRenderer().render(report(subject(name), subject("b")))

    assert any(line.startswith(name) for line in text.splitlines())


def test_wide_characters_keep_the_columns_straight() -> None:
    text = TextRenderer().render(report(bare_subject("模型"), bare_subject("abcd")))

    rows = [line for line in text.splitlines() if line.endswith(" B")]

    assert [row.index("12") + (2 if row.startswith("模型") else 0) for row in rows] == [10, 10]


def test_colours_say_what_is_good_and_what_is_bad() -> None:
    bad = TextRenderer(color=True).render(COMPARISONS["clear drop"])
    plain = TextRenderer(color=True).render(comparison())
    starts = [TextRenderer(color=True).render(one)[:8] for one in (clear_drop(), noise(), too_little_data())]

    assert bad.startswith("\x1b[1;31macme/large passes 72 %, before 83 %: it became worse")
    assert plain.startswith("\x1b[1macme/large passes 80 %, before 83 %: no drop of 5 points")
    assert starts == ["\x1b[1;31mF", "\x1b[1;32mP", "\x1b[1;33mI"]


@pytest.mark.parametrize("width", [40, 80, 100, 120, 200])
def test_no_width_of_a_terminal_loses_a_number_or_a_title(width: int) -> None:
    plain, narrow = (
        ANSI.sub("", renderer.render(tiered_report()))
        for renderer in (TextRenderer(), TextRenderer(color=True, width=width))
    )

    words = {word for word in re.findall(r"[\w.@$]+", plain) if any(map(str.isalnum, word))}

    assert not {word for word in words if word not in narrow}


def test_a_table_too_wide_for_the_terminal_breaks_its_titles_first() -> None:
    text = ANSI.sub("", TextRenderer(color=True, width=120).render(tiered_report()))
    [first] = [line for line in text.splitlines() if "pass@1" in line and "grade" in line]

    assert max(map(len, text.splitlines())) <= 120
    assert "new cases" not in first


def test_a_table_that_cannot_get_narrow_enough_goes_on_below_with_its_names() -> None:
    text = ANSI.sub("", TextRenderer(color=True, width=80).render(mixed_comparison()))

    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    below = lines[lines.index("Change in points") :]
    assert sum("acme/large" in line for line in below if "made by" not in line) > 1


def test_a_command_is_folded_on_a_terminal_between_its_words() -> None:
    text = ANSI.sub("", TextRenderer(color=True, width=80).render(first_stage()))

    assert max(map(len, text.splitlines())) <= 80
    assert "--fresh-current fresh-current.json" in " ".join(text.split())


def test_names_are_folded_on_a_terminal_before_numbers_are_touched() -> None:
    text = TextRenderer(color=True, width=80).render(report(bare_subject("n" * 60), bare_subject("b")))

    lines = ANSI.sub("", text).splitlines()

    assert max(map(len, lines)) <= 80
    assert sum(line.count("n" * 12) > 0 for line in lines) > 1
