"""A benchmark becomes an eval set, whole or in part, by its own protocol or by ours."""

import json
from pathlib import Path

import pytest

import steelyard
from steelyard.app.benchmarks import load
from steelyard.checks.toolchains.rust.vendored import FOLDER_ENV
from steelyard.errors import InputError, UnknownName, UserError
from steelyard.model.benchmark import ProtocolKind
from steelyard.model.environment import Environment
from tests.app.benchmarks.small import TASKS, SmallData
from tests.benchmarks.records import HUMANEVAL, write_records


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a benchmark of our own as a package would, with an entry point; return its data."""
    package = tmp_path / "site"
    (package / "own_benchmarks-1.dist-info").mkdir(parents=True)
    (package / "own_benchmarks-1.dist-info" / "METADATA").write_text("Name: own_benchmarks\nVersion: 1\n")
    (package / "own_benchmarks-1.dist-info" / "entry_points.txt").write_text(
        "[steelyard.benchmarks]\nsmall = own_small_benchmark:BENCHMARK\nodd = own_small_benchmark:ODD\n"
        "loose = own_small_benchmark:LOOSE\n"
    )
    (package / "own_small_benchmark.py").write_text(
        "from tests.app.benchmarks.small import small_benchmark\nBENCHMARK = small_benchmark()\nODD = 7\n"
        "LOOSE = small_benchmark(digest='')\n"
    )
    monkeypatch.syspath_prepend(str(package))
    return TASKS.write(tmp_path / "data").parent


def ids(name: str, **options: object) -> list[str]:
    chosen = load.BenchmarkOptions(**options)  # type: ignore[arg-type]  # by name
    return [case.id for case in steelyard.load_benchmark(name, chosen, notify=lambda _: None).cases]


def test_a_benchmark_of_another_package_is_found_by_its_entry_point(small: Path) -> None:
    found = steelyard.load_benchmark("small", load.BenchmarkOptions(data=small))

    assert [case.id for case in found.cases] == ["add-1", "add-2", "add-3", "add-4"]
    assert found.benchmark is not None
    assert (found.benchmark.version, found.benchmark.tasks, found.benchmark.kind) == ("v1", 4, "official")
    with pytest.raises(UserError, match="`Benchmark`"):
        steelyard.find_benchmark("odd")


def test_other_data_than_the_pinned_ones_are_said_to_be_others(small: Path) -> None:
    mine = SmallData(text=TASKS.text.splitlines()[0] + "\n").write(small, "mine.jsonl")
    told = list[str]()

    found = steelyard.load_benchmark("small", load.BenchmarkOptions(data=mine), notify=told.append)

    assert found.benchmark is not None
    assert found.benchmark.version.startswith("other data (")
    assert "mine.jsonl differs from the pinned file" in told[0]


def test_data_of_a_benchmark_without_a_digest_are_said_not_to_be_pinned(small: Path) -> None:
    told = list[str]()

    found = steelyard.load_benchmark("loose", load.BenchmarkOptions(data=small), notify=told.append)

    assert found.benchmark is not None
    assert found.benchmark.version.startswith("v1, not pinned (")
    assert "tasks.jsonl is not pinned" in told[0]


def test_a_window_of_days_takes_the_tasks_in_it(small: Path) -> None:
    assert ids("small", data=small, since="2025-02-15", until="2025-03-15") == ["add-2", "add-3"]
    assert ids("small", data=small, until="2025-02-01") == ["add-1"]
    with pytest.raises(UserError, match="2025-01-15 to 2025-04-15"):
        ids("small", data=small, since="2026-01-01")
    with pytest.raises(UserError, match="use the form"):
        ids("small", data=small, since="soon")


def test_a_window_needs_tasks_with_dates(tmp_path: Path) -> None:
    write_records(tmp_path)

    with pytest.raises(UserError, match="have no dates"):
        ids("humaneval", data=tmp_path, since="2025-01-01")


def test_some_tasks_are_spread_evenly(small: Path) -> None:
    assert ids("small", data=small, tasks=2) == ["add-1", "add-3"]
    assert ids("small", data=small, tasks=9) == ["add-1", "add-2", "add-3", "add-4"]


def test_tasks_that_need_packages_are_left_out_without_them(small: Path, tmp_path: Path) -> None:
    line = '{"id": "frames", "plus": 1, "day": "2025-01-01", "needs": "pandas"}\n'
    mine = SmallData(text=line + TASKS.text).write(tmp_path, "mine.jsonl")
    lock = tmp_path / "packages.lock"
    lock.write_text("pandas==3.1\n", encoding="utf-8")

    assert "frames" not in ids("small", data=mine)
    assert ids("small", data=mine, packages=lock)[0] == "frames"
    with pytest.raises(UserError, match="packages"):
        ids("small", data=SmallData(text=line).write(tmp_path, "one.jsonl"))


def test_tasks_that_need_a_crate_are_there_where_the_machine_has_it(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = '{"id": "patterns", "plus": 1, "day": "2025-01-01", "crate": "regex"}\n'
    mine = SmallData(text=line + TASKS.text).write(tmp_path, "mine.jsonl")
    monkeypatch.delenv(FOLDER_ENV, raising=False)

    assert "patterns" not in ids("small", data=mine)

    (tmp_path / "vendor" / "regex").mkdir(parents=True)
    (tmp_path / "vendor" / "regex" / "Cargo.toml").write_text("", encoding="utf-8")
    monkeypatch.setenv(FOLDER_ENV, str(tmp_path / "vendor"))
    assert ids("small", data=mine)[0] == "patterns"


def test_packages_are_those_of_the_python_that_is_named(small: Path, tmp_path: Path) -> None:
    lock = tmp_path / "packages.lock"
    lock.write_text("pandas==3.1\n", encoding="utf-8")

    loaded = steelyard.load_benchmark(
        "small", load.BenchmarkOptions(data=small, packages=lock, python="3.13")
    )

    assert loaded.cases[0].environment == Environment(python="3.13", requirements="pandas==3.1\n")
    with pytest.raises(UserError, match=r"`python=3\.9`.*'3\.9'"):
        ids("small", data=small, packages=lock, python="3.9")
    with pytest.raises(UserError, match="`packages=FILE`"):
        ids("small", data=small, python="3.13")


@pytest.mark.parametrize(
    "line", ["pandas>=3", "--index-url https://example.org", "pandas @ https://example.org/pandas.whl"]
)
def test_packages_that_are_not_pinned_are_refused(small: Path, tmp_path: Path, line: str) -> None:
    lock = tmp_path / "packages.lock"
    lock.write_text(f"numpy==2.1.0\n{line}\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"packages.*2.*not pinned"):
        ids("small", data=small, packages=lock)


def test_a_record_of_another_form_is_refused_with_what_it_lacks(small: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"KeyError.*'plus'"):
        ids("small", data=SmallData(text='{"id": "a"}\n').write(tmp_path, "mine.jsonl"))
    with pytest.raises(InputError, match=r"data.*task"):
        ids("small", data=SmallData(text="\n").write(tmp_path, "none.jsonl"))


def test_names_and_protocols_that_are_unknown_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="humaneval"):
        ids("humanevel")
    with pytest.raises(UserError, match="official or strict"):
        ids("humaneval", data=tmp_path, protocol="loose")


def test_the_strict_protocol_gives_more_time(tmp_path: Path) -> None:
    write_records(tmp_path)

    def timeout_s(kind: ProtocolKind) -> float:
        chosen = load.BenchmarkOptions(data=tmp_path, protocol=kind)
        (case,) = steelyard.load_benchmark("humaneval", chosen, notify=lambda _: None).cases
        return case.timeout_s

    assert (timeout_s(ProtocolKind.OFFICIAL), timeout_s(ProtocolKind.STRICT)) == (3.0, 60.0)


def test_canaries_are_honeypots_that_only_who_knows_the_text_passes(tmp_path: Path) -> None:
    text = " ".join(f"word{number}" for number in range(100))
    record = {**HUMANEVAL, "task_id": "T/0", "prompt": f"def larger(a, b):\n    # {text}\n"}
    mine = SmallData(text=json.dumps(record)).write(tmp_path, "mine.jsonl")

    chosen = load.BenchmarkOptions(data=mine, canaries=3)
    case, canary = steelyard.load_benchmark("humaneval", chosen, notify=lambda _: None).cases

    assert (case.honeypot, canary.honeypot, canary.id) == (False, True, "canary:T/0")
    asked = canary.prompt.rpartition("\n\n")[2]
    assert "word10" in asked
    assert "word90" not in asked
    assert canary.expectations.settings["regex"].startswith(r"word")


@pytest.mark.parametrize(
    ("tries", "rule", "protocol"),
    [(None, None, "Own"), (1, None, "Own"), (3, "maximum=3,passes=1", "Own with tries=3")],
)
def test_other_tries_than_those_of_the_protocol_are_said(
    tries: int | None, rule: str | None, protocol: str, small: Path
) -> None:
    found = steelyard.load_benchmark("small", load.BenchmarkOptions(data=small, tries=tries))

    assert found.benchmark is not None
    assert (found.sampling.stop_rule, found.sampling.feedback) == (rule, rule is not None)
    assert found.benchmark.protocol == protocol


def test_no_try_at_all_is_refused(small: Path) -> None:
    with pytest.raises(UserError, match="expected at least 1"):
        steelyard.load_benchmark("small", load.BenchmarkOptions(data=small, tries=0))
