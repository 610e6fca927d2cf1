"""References of public benchmarks pass and empty answers do not: a sample of them, where they are at hand."""

import os

import pytest

import steelyard
from perf.references import FOLDER_ENV

FOLDER = os.environ.get(FOLDER_ENV, "")
SAMPLES = {  # tasks of each, evenly spread
    "humaneval": 11,
    "mbpp-all": 16,
    "humaneval+mini": 8,
    "cruxeval": 16,
    "classeval": 8,
    "bigcodebench-hard": 3,
    "humaneval-x/python": 4,
    "humaneval-x/js": 3,
    "mceval/Python": 6,
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # about escapes in others' tests
@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # as above, by newer Pythons
@pytest.mark.skipif(not FOLDER, reason=f"{FOLDER_ENV} names no folder")
@pytest.mark.parametrize("protocol", ["official", "strict"])
@pytest.mark.parametrize("name", SAMPLES)
def test_references_pass_and_empty_answers_do_not(
    name: str, protocol: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    chosen = steelyard.BenchmarkOptions(data=FOLDER, protocol=protocol, tasks=SAMPLES[name])

    verification = steelyard.verify_benchmark(name, chosen, notify=lambda _: None)

    assert (verification.references, verification.run.version) == (
        SAMPLES[name],
        verification.benchmark.version,
    )
    assert [failure for failure in verification.failing if not failure.reason] == []
    assert verification.passing_empty == ()
