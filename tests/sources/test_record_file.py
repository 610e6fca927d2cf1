import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steelyard.errors import InputError
from steelyard.model.comparison import Comparison
from steelyard.render.json import JsonRenderer
from steelyard.sources.record_file import read_record, read_report
from tests.analysis.reports import case, report, subject

WHOLE = report(subject(), cases=[case("fizzbuzz"), case("lru_cache")])


def refusal(file: Path, text: str | bytes) -> str:
    """Return what is said about a file that holds this text."""
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_report(file)
    message = str(caught.value)
    assert message.startswith(f"{file}: ")
    assert len(message.splitlines()) <= 7
    assert message.isascii() or not str(file).isascii()
    return message.removeprefix(f"{file}: ")


def changed(place: str, value: object) -> str:
    """Return a good report with one value put in a place such as `cases.1.n`."""
    content = json.loads(JsonRenderer().render(WHOLE))
    *parents, last = place.split(".")
    inner: Any = content
    for key in parents:
        inner = inner[int(key) if key.isdecimal() else key]
    inner[last] = value
    return json.dumps(content)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "report.json"


def test_a_byte_order_mark_is_forgiven(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + JsonRenderer().render(WHOLE).encode())

    assert read_report(file) == WHOLE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("model,score\na,1\n", "this is not JSON: expected value at line 1 column 1"),
        ('{"schema": "steelyard.report/1"', "this is not JSON: EOF while parsing an object"),
        ('{"schema": NaN}', "this is not JSON: expected value at line 1 column 12"),
        ("{} {}", "this is not JSON: trailing characters"),
        ("[" * 100_000, "this is not JSON: recursion limit exceeded"),
        ('{"a":' * 100_000, "this is not JSON: recursion limit exceeded"),
        ('{"a": "\\ud800"}', "this is not JSON: "),
        ("9" * 5_000, "this is not JSON: number out of range"),
        ('{"schema": "ÿ"}'.encode("latin-1"), "this is not JSON: invalid unicode"),
        ('{"schema": 1}'.encode("utf-16"), "the file is UTF-16 text; save it as UTF-8"),
        (b"\x00\x01\x02", "this is not JSON: "),
        ("[]", "found a list, expected an object"),
        ("null", "found null, expected an object"),
        ('"' + "x" * 500 + '"', 'found "xxx'),
        ("{}", "there is no key schema; this version reads steelyard.report/1"),
    ],
)
def test_a_file_that_is_no_report_is_refused_in_one_line(file: Path, text: str | bytes, said: str) -> None:
    message = refusal(file, text)

    assert message.startswith(said)
    assert "\n" not in message


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("steelyard.report/9", "steelyard.report/9, this version reads steelyard.report/1"),
        ("steelyard.comparison/1", "steelyard.comparison/1, steelyard.report/1 is needed here"),
        ({"a": 1}, "an object, steelyard.report/1 is needed here"),
        ("\x1b[2J\u202e", r"\x1b[2J\u202e, steelyard.report/1 is needed here"),
    ],
)
def test_another_kind_or_version_is_refused_by_name(file: Path, schema: object, said: str) -> None:
    text = json.dumps({"schema": schema, "unheard": "of"})

    assert refusal(file, text) == f"unsupported schema {said}"


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("case", [], "case: unknown key, found a list; did you mean 'cases'?"),
        ("colour", "red", 'colour: unknown key, found "red"'),
        ("cases.1.\x1b[2J", 1, r"cases[1].\x1b[2J: unknown key, found 1"),
        ("cases.1.mean_score", "high", 'cases[1].mean_score: found "high", expected a number'),
        ("cases.1.n", 1.0, "cases[1].n: found 1.0, expected a whole number"),
        ("cases.1.n", "5", 'cases[1].n: found "5", expected a whole number'),
        ("cases.1.n", True, "cases[1].n: found true, expected a whole number"),
        ("cases.1.missing", 0, "cases[1].missing: found 0, expected true or false"),
        ("cases.1.case", None, "cases[1].case: found null, expected text"),
        ("cases", {}, "cases: found an object, expected a list"),
        ("cases", [[]], "cases[0]: found a list, expected an object"),
        ("settings.missing", "x", "settings.missing: found \"x\", expected one of 'fail', 'skip' or 'error'"),
        ("settings.suite_weights", [], "settings.suite_weights: found a list, expected an object"),
        ("subjects.0.score.reason", "x", 'subjects[0].score.reason: found "x", expected one of'),
        ("cases.0.c", 9, "cases[0]: found c = 9 and n = 5, expected passes from 0 to n"),
        ("cases.0.c", -1, "cases[0]: found c = -1 and n = 5, expected passes from 0 to n"),
        ("cases.0.errored", -1, "cases[0]: found errored = -1, expected a count"),
        ("cases.0.score_n", 3, "cases[0]: found score_sum_micro = 4000000, expected 0 to"),
        ("cases.0.mean_score", 1.5, "cases[0]: found mean_score = 1.5, expected a score from 0 to 1"),
        ("cases.1.case", "fizzbuzz", 'cases[1]: "fizzbuzz" of the same subject occurs twice'),
    ],
)
def test_a_report_that_is_wrong_in_one_place_is_refused_with_the_place(
    file: Path, place: str, value: object, problem: str
) -> None:
    heading, line = refusal(file, changed(place, value)).splitlines()

    assert heading == "this report cannot be read"
    assert line.startswith(f"  {problem}")


def test_a_missing_key_is_named(file: Path) -> None:
    text = JsonRenderer().render(WHOLE).replace('"generator": "steelyard 0.0.0",', "")

    assert refusal(file, text).splitlines()[1:] == ["  generator: this key is missing"]


def test_a_number_beyond_all_floats_is_refused(file: Path) -> None:
    text = changed("cases.0.cost_usd", 4242).replace("4242", "1e999")

    assert "cases[0].cost_usd: found Infinity, expected a finite number" in refusal(file, text)


def test_at_most_five_problems_are_told_and_the_rest_counted(file: Path) -> None:
    lines = refusal(file, '{"schema": "steelyard.report/1", "a": 1, "b": 2}').splitlines()

    assert len(lines) == 7
    assert lines[-1] == "  and 4 more problems"


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to(path), lambda path: None])
def test_what_is_no_file_is_refused(file: Path, make: Callable[[Path], object]) -> None:
    make(file)

    with pytest.raises(InputError, match="cannot be read"):
        read_report(file)


def test_a_file_one_may_not_read_is_refused() -> None:
    # Its first page is never mapped, so that reading it fails for everybody, root included.
    with pytest.raises(InputError, match="Input/output"):
        read_report("/proc/self/mem")


@pytest.mark.parametrize("name", ["\0", "n" * 5_000])
def test_an_impossible_path_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_report(Path(name))


def test_a_report_is_no_comparison(file: Path) -> None:
    file.write_text(JsonRenderer().render(WHOLE), encoding="utf-8")

    with pytest.raises(
        InputError, match=r"unsupported schema steelyard\.report/1, steelyard\.comparison/\d is needed here"
    ):
        read_record(file, Comparison)


class Flavour(StrEnum):
    SWEET = "sweet"


@dataclass(frozen=True, slots=True, kw_only=True)
class TeaConfig:
    flavour: Flavour = Flavour.SWEET
    minutes: tuple[int, ...] = (3,)


def test_any_record_may_be_read_and_one_without_versions_needs_no_schema(file: Path) -> None:
    file.write_text('{"minutes": [1, 2]}', encoding="utf-8")

    assert read_record(file, TeaConfig) == TeaConfig(minutes=(1, 2))


def test_a_misspelt_key_of_any_record_is_refused(file: Path) -> None:
    file.write_text('{"minuts": [1, 2]}', encoding="utf-8")

    with pytest.raises(
        InputError, match=r"this tea config cannot be read\n  minuts: unknown key, found a list"
    ):
        read_record(file, TeaConfig)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_damage_to_a_file_ends_in_a_traceback(tmp_path: Path, data: st.DataObject) -> None:
    text = bytearray(JsonRenderer().render(WHOLE).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    file = tmp_path / "report.json"
    file.write_bytes(text)

    with suppress(InputError):  # anything else is a traceback
        read_report(file)
