"""How verdicts and comparisons read in four situations that people meet; read these before changing words."""

import pytest

from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.render.markdown.renderer import MarkdownRenderer
from steelyard.render.text import TextRenderer
from tests.analysis.comparisons import SITUATIONS as COMPARISONS
from tests.analysis.gates import SITUATIONS as GATES

GATE_WORDS = {
    "clear drop": """\
FAIL: acme/large passes 79 %, before 90 %: it became worse.

why: over 164 cases the pass rate fell by 11.2 points; if nothing had changed, a drop this large would occur once in 2,500 comparisons (p = 0.0004)

for comparison: the threshold rule would have flagged 76 cases

settings: one-shot; false alarms at most 5 % (alpha); margin 5 points; infrastructure errors up to 5 %; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
    "noise": """\
PASS: acme/large passes 89.60 %, before 90.00 %: no drop of 5 points or more.

why: over 164 cases the pass rate fell by 0.4 points (p = 0.41); the largest plausible drop is 2.1 points, below the margin of 5 points

power: with this much data a drop of 5 points is detected in about 89 % of comparisons, one broken case in about 66 %
with few samples a broken case can be missed; steelyard gate --confirm resamples suspect cases
for comparison: the threshold rule would have flagged 27 cases

settings: one-shot; false alarms at most 5 % (alpha); margin 5 points; infrastructure errors up to 5 %; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
    "one broken case": """\
FAIL: acme/large passes 89.60 %, before 90.00 %: 1 of 164 cases dropped: lru_cache.

why: noise does not explain the drop of lru_cache, even among 164 cases
why: over 164 cases the pass rate fell by 0.4 points, which alone does not fail the gate (p = 0.41)

for comparison: the threshold rule would have flagged 27 cases
not compared: 2 cases new since the baseline

settings: one-shot; false alarms at most 5 % (alpha); margin 5 points; infrastructure errors up to 5 %; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
    "too little data": """\
INCONCLUSIVE: acme/large passes 87 %, before 90 %: too close to call.

why: over 164 cases the pass rate fell by 3.3 points (p = 0.35); the largest plausible drop is 9.3 points, above the margin of 5 points; about 12 more samples per case in both runs would decide

power: with this much data a drop of 5 points is detected in about 17 % of comparisons, one broken case in about 66 %
for comparison: the threshold rule would have flagged 3 cases

settings: one-shot; false alarms at most 5 % (alpha); margin 5 points; infrastructure errors up to 5 %; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
    "first stage": """\
PASS SO FAR: acme/large passes 89.60 %, before 90.00 %: no drop of 5 points or more; 2 cases must be resampled before this is final.

why: over 164 cases the pass rate fell by 0.4 points (p = 0.41); the largest plausible drop is 2.1 points, below the margin of 5 points

for comparison: the threshold rule would have flagged 27 cases

Next: generate 10 fresh samples of each of these 2 cases in both runs
suite   case
-----------------
basics  lru_cache
basics  parser
score the fresh samples into two separate reports; only these decide, since the cases were selected for looking worse
then: steelyard gate --baseline baseline.json --current current.json --fresh-baseline fresh-baseline.json --fresh-current fresh-current.json

settings: confirm, first stage; false alarms at most 5 % (alpha); margin 5 points; infrastructure errors up to 5 %; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
}

COMPARISON_WORDS = {
    "clear drop": """\
acme/large passes 72 %, before 83 %: it became worse.

acme/large: pass rate 0.8333 → 0.7213 over 15 cases, -11.2 points (95 % on a re-run -14.4 to -8.0); all cases together p = 0.0004, odds ratio 0.34.

The threshold rule (a drop of more than 0.05) flags 2 cases; 1 of them stands out from noise. Also: 0 improvements, 12 unchanged.

Regressions by the threshold rule, largest first
suite   case       baseline  current   change  noise?
------------------------------------------------------------------------
basics  lru_cache    1.0000   0.0000  -1.0000  stands out (p = 0.0001)
basics  parser       0.8000   0.4000  -0.4000  could be noise (p = 0.26)
p is for one case alone; among many cases, some small values occur by chance

Change in points
model       cases  worse  better  pass rate  95 % new cases         re-run  odds ratio  p of a drop
---------------------------------------------------------------------------------------------------
acme/large     15      3       2      -11.2   -14.8 to -7.4  -14.4 to -8.0        0.34       0.0004
new cases: interval for new cases of the same kind; re-run: for these cases resampled

compared: acme/large; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
    "noise": """\
acme/large passes 80 %, before 83 %: no drop of 5 points or more.

acme/large: pass rate 0.8333 → 0.8000 over 15 cases, -3.3 points (95 % on a re-run -9.1 to +2.4); all cases together p = 0.41, odds ratio 0.71; power: a drop of 5 points is detected in about 89 % of comparisons, one broken case in about 66 %.

The threshold rule (a drop of more than 0.05) flags 1 case, which could be noise. Also: 1 improvement, 12 unchanged.

Regressions by the threshold rule, largest first
suite   case    baseline  current   change  noise?
---------------------------------------------------------------------
basics  parser    0.8000   0.6000  -0.2000  could be noise (p = 0.24)
p is for one case alone; among many cases, some small values occur by chance

Improvements, largest first
suite   case      baseline  current   change
--------------------------------------------
basics  fizzbuzz    0.8000   1.0000  +0.2000

Change in points
model       cases  worse  better  pass rate  95 % new cases        re-run  score  95 % new cases        re-run  odds ratio  p of a drop
---------------------------------------------------------------------------------------------------------------------------------------
acme/large     15      3       2       -3.3   -12.0 to +5.4  -9.1 to +2.4   -2.1   -10.0 to +6.0  -8.0 to +3.8        0.71         0.41
new cases: interval for new cases of the same kind; re-run: for these cases resampled

compared: acme/large; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
    "one broken case": """\
acme/large passes 80 %, before 83 %: 1 of 15 cases dropped: lru_cache.

acme/large: pass rate 0.8333 → 0.8000 over 15 cases, -3.3 points (95 % on a re-run -9.1 to +2.4); all cases together p = 0.41, odds ratio 0.71.

The threshold rule (a drop of more than 0.05) flags 1 case, which stands out from noise. Also: 0 improvements, 12 unchanged.

Regressions by the threshold rule, largest first
suite   case       baseline  current   change  noise?
----------------------------------------------------------------------
basics  lru_cache    1.0000   0.0000  -1.0000  stands out (p = 0.0001)
p is for one case alone; among many cases, some small values occur by chance

Change in points
model       cases  worse  better  pass rate  95 % new cases        re-run  score  95 % new cases        re-run  odds ratio  p of a drop
---------------------------------------------------------------------------------------------------------------------------------------
acme/large     15      3       2       -3.3   -12.0 to +5.4  -9.1 to +2.4   -2.1   -10.0 to +6.0  -8.0 to +3.8        0.71         0.41
new cases: interval for new cases of the same kind; re-run: for these cases resampled

compared: acme/large; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
    "too little data": """\
acme/large passes 80 %, before 83 %: too close to call.

acme/large: pass rate 0.8333 → 0.8000 over 30 cases, -3.3 points (95 % on a re-run -9.1 to +2.4); all cases together p = 0.50, odds ratio 0.71; power: a drop of 5 points is detected in about 8 % of comparisons, one broken case in 2 % or less.

The threshold rule (a drop of more than 0.05) flags 1 case, which could be noise. Also: 0 improvements, 12 unchanged.

Regressions by the threshold rule, largest first
suite   case    baseline  current   change  noise?
---------------------------------------------------------------------
basics  parser    1.0000   0.0000  -1.0000  could be noise (p = 0.50)
p is for one case alone; among many cases, some small values occur by chance

Change in points
model       cases  worse  better  pass rate  95 % new cases        re-run  score  95 % new cases        re-run  odds ratio  p of a drop
---------------------------------------------------------------------------------------------------------------------------------------
acme/large     30      3       2       -3.3   -12.0 to +5.4  -9.1 to +2.4   -2.1   -10.0 to +6.0  -8.0 to +3.8        0.71         0.50
new cases: interval for new cases of the same kind; re-run: for these cases resampled

compared: acme/large; made by steelyard 0.0.0
""",  # noqa: E501  # the whole point is how it looks
}

MARKDOWN_WORDS = """\
**PASS SO FAR: `acme/large` passes 89.60 %, before 90.00 %: no drop of 5 points or more; 2 cases must be resampled before this is final.**

why: over 164 cases the pass rate fell by 0.4 points (p = 0.41); the largest plausible drop is 2.1 points, below the margin of 5 points

for comparison: the threshold rule would have flagged 27 cases

### Next: generate 10 fresh samples of each of these 2 cases in both runs

| suite | case |
| --- | --- |
| `basics` | `lru_cache` |
| `basics` | `parser` |

- score the fresh samples into two separate reports; only these decide, since the cases were selected for looking worse
- then: `steelyard gate --baseline baseline.json --current current.json --fresh-baseline fresh-baseline.json --fresh-current fresh-current.json`

settings: confirm, first stage; false alarms at most 5 % (alpha); margin 5 points; infrastructure errors up to 5 %; made by steelyard 0.0.0
"""  # noqa: E501  # the whole point is how it looks


@pytest.mark.parametrize("situation", GATES)
def test_a_verdict_reads_like_this(situation: str) -> None:
    whole: GateReport = GATES[situation]

    assert TextRenderer().render(whole) == GATE_WORDS[situation]


@pytest.mark.parametrize("situation", COMPARISONS)
def test_a_comparison_reads_like_this(situation: str) -> None:
    whole: Comparison = COMPARISONS[situation]

    assert TextRenderer().render(whole) == COMPARISON_WORDS[situation]


def test_a_first_stage_reads_like_this_in_a_pull_request() -> None:
    assert MarkdownRenderer().render(GATES["first stage"]) == MARKDOWN_WORDS
