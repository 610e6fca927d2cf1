"""Whatever a service sends, no run stops: each reply is an answer or a counted error, and a run goes on."""

import pytest

from tests.e2e.garbage import garbage, garbage_server
from tests.e2e.lab import Lab, config, small_set

KINDS = garbage()
CASES = [name for number in range(len(KINDS)) for name in (f"garbage-{number}", f"good-{number}")]


@pytest.mark.check_all
@pytest.mark.timeout(1200)  # 432 cases, and half of them again
def test_more_than_two_hundred_kinds_of_garbage_end_no_run(lab: Lab) -> None:
    small_set(lab.folder, CASES)
    served = list(KINDS)
    with garbage_server(served) as address:
        text = config({"openai": address}, "openai/m", timeout_s=60.0)
        (lab.folder / "steelyard.toml").write_text(text, encoding="utf-8")

        first = lab.run("--eval-set", "small.toml", "--retries", "0", "--max-concurrency", "4")
        errors = dict(lab.rows("samples", "case_id, error", where="error IS NOT NULL"))
        kinds = dict(lab.rows("outcomes", "case_id, classification"))
        served.clear()  # the service works again
        again = lab.resume("--retries", "0")

    assert len(KINDS) >= 200
    assert (first.code, again.code) == (0, 0), first.err + again.err
    assert set(kinds) == set(CASES)
    assert {name for name, kind in kinds.items() if kind == "pass"} == {
        name for name in CASES if name.startswith("good")
    }
    assert {name for name, kind in kinds.items() if kind == "error"} == set(errors)
    assert f"generated {len(CASES)} of {len(CASES)}, checked {len(CASES)}" in again.err
