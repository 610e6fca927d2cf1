"""How far a run is: said in one line where nobody looks, generated in place on a terminal of any size."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from io import StringIO

import pytest
from rich.console import Console

from steelyard.cli.live_view import live_view
from steelyard.cli.progress import Lines, watching
from steelyard.model.progress import (
    ProviderProgress,
    RunProgress,
    SubjectName,
    SubjectProgress,
)
from steelyard.render.run_progress import remarks, subject_text

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def subject(
    *, planned: int = 40, generated: int = 12, errors: Mapping[str, int] | None = None
) -> SubjectProgress:
    return SubjectProgress(
        planned=planned,
        generated=generated,
        checked=10,
        passed=7,
        cost_nano_usd=123 * 10**7,
        errors=errors or {},
    )


def progress(
    subjects: Mapping[SubjectName, SubjectProgress], *, is_stopping: bool = False, under_way: int = 0
) -> RunProgress:
    return RunProgress(subjects=subjects, is_stopping=is_stopping, under_way=under_way)


def generated_at(seen: RunProgress, *, columns: int, lines: int = 24) -> list[str]:
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=columns, height=lines, color_system=None)
    with live_view(console=console) as view:
        view(seen)
        view(seen)  # nothing new: nothing is generated
    return [line.rstrip() for line in ESCAPES.sub("", screen.getvalue()).replace("\r", "\n").splitlines()]


def test_the_facts_of_a_subject_are_those_of_the_report() -> None:
    told = subject_text("m", subject(errors={"rate_limited": 2, "check": 1}), 0.5, stops_early=False)

    assert told.counts == "10 of 40 checked, 12 generated"
    assert told.passed == "7 passed"
    assert told.money == "$1.23"
    assert told.pace == "0.5/s, 54 s left"
    assert told.errors == "errors: rate_limited 2, check 1"


def test_what_is_not_known_is_not_said() -> None:
    fresh = subject_text("m", SubjectProgress(planned=3), None, stops_early=False)

    assert fresh.line() == "0 of 3 checked, 0 generated, 0 passed, $0"
    unpriced = SubjectProgress(planned=3, generated=3, checked=3, unpriced=3)
    assert (
        subject_text("m", unpriced, None, stops_early=False).line().endswith("0 passed, price unknown, done")
    )


def test_with_a_stop_rule_the_plan_is_the_maximum() -> None:
    told = subject_text("m", subject(), 1.0, stops_early=True)

    assert told.counts == "10 of at most 40 checked, 12 generated"
    assert told.passed == "7 passed"
    assert told.pace == "1.0/s, at most 30 s left"


def test_many_kinds_of_errors_are_summed_up() -> None:
    kinds = {f"k{number}": 9 - number for number in range(6)}

    told = subject_text("m", subject(errors=kinds), None, stops_early=False)

    assert told.errors == "errors: k0 9, k1 8, k2 7, k3 6, others 9"


def test_who_presses_ctrl_c_is_told_what_happens() -> None:
    assert remarks(progress({}, is_stopping=True, under_way=3)) == [
        "finishing 3 calls; press Ctrl-C again to stop"
    ]
    assert remarks(progress({}, is_stopping=True, under_way=1))[0].startswith("finishing 1 call;")
    assert remarks(progress({}, is_stopping=True))[0].startswith("finishing checks;")


def test_a_provider_that_asks_for_a_pause_is_named() -> None:
    paused = {"lab": ProviderProgress(in_flight=0, allowed=4, pause_s=90.0)}

    assert remarks(RunProgress(subjects={}, providers=paused)) == ["lab requested a pause: 1 min 30 s"]


def test_a_provider_with_calls_that_wait_or_were_repeated_says_so() -> None:
    retries = {"overloaded": 2, "rate_limited": 1_200}
    busy = {"lab": ProviderProgress(in_flight=8, allowed=16, pace=19.6, waiting=3, retries=retries)}

    assert remarks(RunProgress(subjects={}, providers=busy)) == [
        "lab: 8 of 16 calls, at most 19.6 a second, 3 waiting; repeated: rate_limited 1,200, overloaded 2"
    ]
    assert (
        remarks(RunProgress(subjects={}, providers={"lab": ProviderProgress(in_flight=8, allowed=16)})) == []
    )


@pytest.mark.parametrize("columns", [20, 60, 200])
def test_nothing_is_wider_than_the_terminal(columns: int) -> None:
    seen = progress({("lab/a-model-with-a-very-long-name" * 3, "T0"): subject(errors={"timeout": 3})})

    lines = generated_at(seen, columns=columns)

    assert max(map(len, lines)) <= columns
    assert "7 passed" in " ".join(lines)


def test_a_name_cannot_write_to_the_terminal() -> None:
    lines = generated_at(progress({("lab/\x1b[2Jevil\n", "T0"): subject()}), columns=80)

    assert lines[0] == r"lab/\x1b[2Jevil\n (T0)"


def test_more_subjects_than_fit_leave_those_that_are_done_out() -> None:
    done = SubjectProgress(planned=10, generated=10, checked=10, passed=10)
    subjects = {(f"lab/m{number}", "T0"): done if number < 9 else subject() for number in range(10)}

    lines = generated_at(progress(subjects), columns=80, lines=14)

    assert "lab/m9 (T0)" in lines
    assert "lab/m8 (T0)" not in lines
    assert "all 10 subjects together" in lines
    assert "  100 of 130 checked, 102 generated, 97 passed" in lines
    assert lines.index("all 10 subjects together") + 3 <= 14


def test_a_few_subjects_are_shown_with_their_sum() -> None:
    lines = generated_at(progress({("lab/a", "T0"): subject(), ("lab/b", "T1"): subject()}), columns=100)

    assert [line for line in lines if not line.startswith("  ")][:3] == [
        "lab/a (T0)",
        "lab/b (T1)",
        "all together",
    ]
    assert progress({("lab/a", "T0"): subject(), ("lab/b", "T1"): subject()}).total.passed == 14


def test_where_nobody_looks_one_line_is_said_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    say = Lines(clock=partial(next, iter([0.0, 1.0, 5.5, 6.0, 6.1])))
    one = subject()
    say(progress({("lab/m", "T0"): one}))
    one = replace(one, checked=19)
    say(progress({("lab/m", "T0"): one}))
    say(progress({("lab/m", "T0"): one}, is_stopping=True, under_way=2))
    say(progress({("lab/m", "T0"): one}, is_stopping=True, under_way=2))

    first, second = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"19 of 40 checked, 12 generated, 7 passed, \$1\.23, 2\.0/s, 10 s left", first)
    assert second.endswith("1.8/s, 12 s left; finishing 2 calls; press Ctrl-C again to stop")


def test_who_wants_quiet_gets_it(capsys: pytest.CaptureFixture[str]) -> None:
    with watching(quiet=True) as watch:
        watch(progress({("lab/m", "T0"): subject()}, is_stopping=True))
    with watching(quiet=False) as watch:
        assert isinstance(watch, Lines)

    assert capsys.readouterr().err == ""
