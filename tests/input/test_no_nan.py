"""NaN and infinities never get in, and never get out."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import steelyard
from steelyard.model.options import Errors, Missing
from steelyard.render.json import JsonRenderer
from tests.commands import strict_json, typed, written

COLUMNS = ("score", "cost_usd", "latency_s", "tokens_in", "impl_rate")
NUMBERS = {
    "score": ("", "0", "0.5", "1", "0.333333"),
    "cost_usd": ("", "0", "0.000000001", "999999999"),
    "latency_s": ("", "0", "1e-6", "86400"),
    "tokens_in": ("", "0", "7", "999999999999999999"),
    "impl_rate": ("", "0", "1", "0.999999"),
}


@pytest.mark.parametrize("text", ["NaN"])
@pytest.mark.parametrize("column", COLUMNS)
def test_nan_and_infinity_in_the_input_are_refused_with_their_place(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    column: str,
    text: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, f"model,case,attempt,passed,{column}\na,c,0,True,1\na,c,1,True,{text}\n")

    shown = typed(capsys, "score", "outcomes.csv")

    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error: outcomes.csv, row 2: column '{column}' is '{text}'; expected ")


@st.composite
def outcomes(draw: st.DrawFn) -> str:
    """Draw a small outcome file: any columns, any mixture of passes, failures, errors and gaps."""
    columns = draw(st.lists(st.sampled_from(COLUMNS), unique=True))
    lines = [",".join(("model", "tier", "suite", "case", "attempt", "passed", *columns))]
    keys = st.tuples(*(st.sampled_from(names) for names in ("ab", ("T0", "T1"), "st", "xyz", "01")))
    for key in draw(st.lists(keys, min_size=1, max_size=12, unique=True)):
        numbers = [draw(st.sampled_from(NUMBERS[column])) for column in columns]
        lines.append(",".join((*key, draw(st.sampled_from(["True", "False", ""])), *numbers)))
    return "\n".join(lines) + "\n"


def numbers_in(parsed: object) -> Iterator[float]:
    """Return every number of a JSON value."""
    match parsed:
        case dict():
            for value in parsed.values():
                yield from numbers_in(value)
        case list():
            for value in parsed:
                yield from numbers_in(value)
        case bool() | str() | None:
            return
        case int() | float():
            yield parsed


@pytest.mark.check_all
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=outcomes(), missing=st.sampled_from([Missing.FAIL, Missing.SKIP]), errors=st.sampled_from(Errors))
def test_no_report_and_no_comparison_ever_holds_nan_or_infinity(
    tmp_path: Path, text: str, missing: Missing, errors: Errors
) -> None:
    options = steelyard.ReportOptions(pass_k=(1, 2, 5), missing=missing, errors=errors)
    report = steelyard.score_files([written(tmp_path, text)], options=options)

    texts = (
        JsonRenderer().render(report),
        JsonRenderer().render(steelyard.compare_reports(report, report)),
    )

    for shown in texts:
        parsed = strict_json(shown)
        assert all(abs(number) < float("inf") for number in numbers_in(parsed))
        assert json.loads(shown) == parsed
