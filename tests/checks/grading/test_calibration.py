"""Time limits follow what the reference answer takes on this machine."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from steelyard.checks.grading.calibration import CalibratedChecker
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Facts, Outcome

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
