"""Time limits follow what the reference answer takes on this machine."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.checks.calibration import CalibratedChecker, TimeLimits, host_digest
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.classification import Classification
from steelyard.model.facts import Facts, Outcome

CASE = Case(id="a", language="text", timeout_s=1.0, reference="right")


class SlowChecker:
    """Says that every check took so long, and remembers the limits it was given."""

    def __init__(self, seconds: float, kind: Classification = Classification.PASS) -> None:
        self.seconds, self.kind = seconds, kind
        self.seen: list[tuple[str, float]] = []
        self.broken = 0

    def check(self, case: Case, answer: str) -> Outcome:
        self.seen.append((answer, case.timeout_s))
        if self.broken:
            self.broken -= 1
            raise SandboxError("no sandbox")
        return Outcome(facts=Facts(classification=self.kind), check_us=round(self.seconds * 1e6))


def test_a_slow_machine_gives_four_times_what_the_reference_takes() -> None:
    inner = SlowChecker(3.0)

    CalibratedChecker(inner).check(CASE, "other")

    assert inner.seen == [("right", 10.0), ("other", 12.0)]


def test_a_fast_machine_gives_what_is_stated() -> None:
    inner = SlowChecker(0.01)

    CalibratedChecker(inner).check(CASE, "other")

    assert inner.seen[-1] == ("other", 1.0)


def test_the_reference_is_measured_once_for_all_threads() -> None:
    inner = SlowChecker(3.0)
    checker = CalibratedChecker(inner)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: checker.check(CASE, str(number)), range(50)))

    assert [answer for answer, _ in inner.seen].count("right") == 1
    assert {limit for answer, limit in inner.seen if answer != "right"} == {12.0}


@pytest.mark.parametrize(
    ("case", "kind"), [(replace(CASE, reference=None), Classification.PASS), (CASE, Classification.TIMEOUT)]
)
def test_without_a_reference_that_passes_the_stated_limit_holds(case: Case, kind: Classification) -> None:
    inner = SlowChecker(3.0, kind)

    CalibratedChecker(inner).check(case, "other")

    assert inner.seen[-1] == ("other", 1.0)


def test_a_measurement_that_broke_is_made_again() -> None:
    inner = SlowChecker(3.0)
    inner.broken = 1
    checker = CalibratedChecker(inner)

    with pytest.raises(SandboxError):
        checker.check(CASE, "other")
    checker.check(CASE, "other")

    assert inner.seen[-1] == ("other", 12.0)


def test_a_file_remembers_for_this_host_and_check_only(tmp_path: Path) -> None:
    cache = tmp_path / "limits.json"
    CalibratedChecker(SlowChecker(3.0), limits=TimeLimits(cache=cache, host="h")).check(CASE, "other")

    inner = SlowChecker(9.0)
    CalibratedChecker(inner, limits=TimeLimits(cache=cache, host="h")).check(CASE, "other")
    elsewhere = SlowChecker(9.0)
    CalibratedChecker(elsewhere, limits=TimeLimits(cache=cache, host="i")).check(CASE, "other")
    changed = SlowChecker(9.0)
    CalibratedChecker(changed, limits=TimeLimits(cache=cache, host="h")).check(
        replace(CASE, files={"a": "b"}), "other"
    )

    assert inner.seen == [("other", 12.0)]
    assert elsewhere.seen[-1] == changed.seen[-1] == ("other", 36.0)


@pytest.mark.parametrize("text", ["", "[]", '{"x": null, "y": "z"}', "{"])
def test_a_file_that_makes_no_sense_is_written_anew(tmp_path: Path, text: str) -> None:
    cache = tmp_path / "limits.json"
    cache.write_text(text, encoding="utf-8")

    CalibratedChecker(SlowChecker(3.0), limits=TimeLimits(cache=cache)).check(CASE, "other")

    assert "3.0" in cache.read_text(encoding="utf-8")


def test_a_host_has_one_name() -> None:
    assert host_digest() == host_digest()
