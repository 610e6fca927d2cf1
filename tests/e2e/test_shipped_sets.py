"""Each shipped eval set runs from beginning to end: real HTTP, real client library, real toolchains."""

import json

import pytest

from tests.e2e.golden import GOLDEN, Golden, behaviour_for, rendered
from tests.e2e.lab import VENDORS, Lab


@pytest.mark.parametrize("golden", GOLDEN, ids=[golden.eval_set for golden in GOLDEN])
def test_a_shipped_set_gives_the_golden_report(lab: Lab, golden: Golden) -> None:
    lab.server.behaviour = behaviour_for(golden)

    shown = lab.run(*golden.command())

    assert shown.code == 0, shown.err
    assert rendered(lab.report()) == golden.path.read_text(encoding="utf-8")


def test_every_protocol_is_spoken_and_pass_rates_differ() -> None:
    reports = [json.loads(golden.path.read_text(encoding="utf-8")) for golden in GOLDEN]
    subjects = [subject for report in reports for subject in report["subjects"]]

    assert {subject["model"].partition("/")[0] for subject in subjects} == set(VENDORS)
    assert len({subject["pass_rate"]["value"] for subject in subjects}) == len(subjects)
    assert all(0 < subject["passed"] < subject["samples"] for subject in subjects)
    assert {case["c"] for report in reports for case in report["cases"]} == {0, 1, 2, 3}
