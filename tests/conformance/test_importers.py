"""One suite for every importer: the counts of a log are those that its tool reports, and nothing is made up.

The folder that STEELYARD_PEER_LOGS names holds logs that the tools themselves wrote; without it, the small
logs of the same form are read, and the others are skipped.
"""

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.app.import_ import import_files
from steelyard.app.log_files import found_logs, read_logs, recognised
from steelyard.app.report import report_run
from steelyard.errors import InputError
from steelyard.logs.archive import Archive
from steelyard.logs.files import document
from steelyard.metrics.pass_at_k import pass_at_k
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.model.options import ReportOptions
from steelyard.plugins import IMPORTERS, load
from steelyard.ports import Importer
from tests.logs.small_logs import LOGS, PASSES, swe_bench

PEERS = Path(os.environ.get("STEELYARD_PEER_LOGS", "/nowhere"))
peers = pytest.mark.skipif(not PEERS.is_dir(), reason="STEELYARD_PEER_LOGS names no folder")
every_log = pytest.mark.parametrize(
    ("tool", "write"), [pytest.param(tool, write, id=write.__name__) for tool, write in LOGS]
)
Write = Callable[[Path], Path]


def read(*paths: Path, scorer: str | None = None) -> Log:
    (log,) = read_logs(found_logs(paths), LogOptions(scorer=scorer))
    return log


def counts(rows: tuple[LogRow, ...]) -> tuple[int, int, int]:
    """Return how many rows passed, failed, and ended in an infrastructure error."""
    found = Counter(row.passed for row in rows)
    return found[True], found[False], found[None]


def mean_pass_at_k(rows: tuple[LogRow, ...], k: int) -> float:
    cases: dict[str, list[bool]] = {}
    for row in rows:
        if row.passed is not None:
            cases.setdefault(row.case, []).append(row.passed)
    return sum(float(pass_at_k(n=len(row), c=sum(row), k=k)) for row in cases.values()) / len(cases)


# --- Small logs --------------------------------------------------------------------------------------


def test_every_importer_has_a_small_log() -> None:
    # The files of the bigcode harness cannot say what passed.
    assert {tool for tool, _ in LOGS} | {"swe-bench", "bigcode"} == set(IMPORTERS)


@every_log
def test_a_log_is_recognised_by_its_own_reader_and_by_no_other(
    tool: str, write: Write, tmp_path: Path
) -> None:
    path = write(tmp_path)
    readers: dict[str, Importer] = {name: load(IMPORTERS, name, group="importers")() for name in IMPORTERS}  # type: ignore[operator]  # a class

    assert [name for name, reader in readers.items() if reader.recognise(path)] == [tool]


@every_log
def test_a_small_log_gives_three_passes_and_one_failure(tool: str, write: Write, tmp_path: Path) -> None:
    log = read(write(tmp_path))

    passed = {
        case: sum(row.passed is True for row in log.rows if row.case == name) for case, name in named(log)
    }
    assert counts(log.rows) == (3, 1, 0)
    assert passed == {case: sum(row) for case, row in PASSES.items()}
    assert sorted(row.attempt for row in log.rows) == [0, 0, 1, 1]


def named(log: Log) -> list[tuple[str, str]]:
    """Return the two cases with the names that the log has for them."""
    names = sorted({row.case for row in log.rows})
    return [(case, name) for case, name in zip(PASSES, names, strict=True)]


@every_log
def test_reading_a_log_prints_nothing_and_gives_the_same_twice(
    tool: str, write: Write, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)

    assert read(path) == read(path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("number", [0, 2, 6, 9])
def test_a_log_becomes_a_run_with_the_same_counts(number: int, tmp_path: Path) -> None:
    _, write = LOGS[number]

    found = import_files(write(tmp_path), tmp_path / "run")

    (subject,) = report_run(tmp_path / "run", options=ReportOptions(pass_k=(1, 2))).subjects
    assert (found.outcomes, subject.samples, subject.passed) == (4, 4, 3)
    assert [one.estimate.value for one in subject.pass_at_k] == [0.75, 1.0]


def test_swe_bench_keeps_infrastructure_errors_apart_and_counts_what_was_not_evaluated(
    tmp_path: Path,
) -> None:
    log = read(swe_bench(tmp_path))

    assert counts(log.rows) == (1, 2, 1)
    assert {row.model for row in log.rows} == {"mock/model"}
    assert [(one.what, one.count) for one in log.left_out] == [("instances", 1)]


# --- Logs that the tools wrote -----------------------------------------------------------------------


def inspect_headers() -> list[Path]:
    return sorted([*PEERS.glob("inspect/*/*.eval"), *PEERS.glob("inspect/*/*.json*")])


def inspect_header(path: Path) -> dict[str, Any]:
    if path.suffix != ".eval":
        return document(path)  # type: ignore[return-value]  # an object
    with Archive(path) as archive:
        return json.loads(archive.read("header.json") or b"")  # type: ignore[no-any-return]


@peers
@pytest.mark.parametrize("path", inspect_headers(), ids=lambda path: path.name[:40])
def test_inspect(path: Path) -> None:
    results = inspect_header(path).get("results") or {}
    scores = {
        one.get("reducer", "mean"): one["metrics"]["accuracy"]["value"] for one in results.get("scores", ())
    }
    if path.name == "log_tool_call_error.json":
        with pytest.raises(InputError, match=r"1.*score"):
            read(path)
        return

    rows = read(path).rows

    passed, failed, errors = counts(rows)
    if results:
        assert passed + failed == results["completed_samples"]
        assert passed + failed + errors == results["total_samples"]
        assert mean_pass_at_k(rows, 1) == pytest.approx(scores["mean"])
    if "pass_at_2" in scores:
        assert mean_pass_at_k(rows, 2) == pytest.approx(scores["pass_at_2"])
    assert all(row.prompt and (row.answer or row.error) for row in rows)


@peers
def test_promptfoo_in_its_three_forms() -> None:
    folder = PEERS / "promptfoo/made-here"
    stats = document(folder / "output.json")["results"]["stats"]  # type: ignore[index]  # an object
    wanted = stats["successes"], stats["failures"], stats["errors"]

    logs = [read(folder / f"output.{suffix}") for suffix in ("json", "jsonl", "csv")]

    assert [counts(log.rows) for log in logs] == [wanted] * 3
    # The CSV lacks the assertions, so its cases have other digests, but the same names and repeats.
    assert len({tuple(sorted((row.key, row.passed) for row in log.rows)) for log in logs}) == 1


@peers
@pytest.mark.parametrize("path", sorted(PEERS.glob("promptfoo/fixtures/*.json")), ids=lambda path: path.name)
def test_promptfoo_of_older_versions(path: Path) -> None:
    whole: Any = document(path)
    holder = whole.get("data", whole)
    holder = holder if "stats" in holder else holder["results"]
    if isinstance(holder, list):  # version 4 for sharing: no sums, but those of the prompts
        metrics = [one["metrics"] for one in whole["prompts"]]
        wanted = sum(one["testPassCount"] for one in metrics), sum(one["testFailCount"] for one in metrics)
    else:
        wanted = holder["stats"]["successes"], holder["stats"]["failures"]

    assert counts(read(path).rows)[:2] == wanted


@peers
def test_lm_eval_counts_passes_exactly_and_does_not_say_which_repeat_passed() -> None:
    (path,) = PEERS.glob("lm-eval/results_*.json")
    figures: Any = document(path)
    results = figures["results"]["humaneval_local"]

    log = read(path)

    assert mean_pass_at_k(log.rows, 1) == pytest.approx(results["pass@1,create_test"])
    assert mean_pass_at_k(log.rows, 2) == pytest.approx(results["pass@2,create_test"])
    assert not log.attempts_known
    unclear = [row for row in log.rows if row.case != "HumanEval/1"]
    assert all(row.answer is None for row in unclear)
    assert all(row.answer for row in log.rows if row.case == "HumanEval/1")


@peers
@pytest.mark.parametrize("scorer", ["plus", "base"])
def test_evalplus(scorer: str) -> None:
    path = PEERS / "evalplus/made-here/samples_eval_results.json.gz"
    whole: Any = document(path)
    answers = [one for task in whole["eval"].values() for one in task]
    keys = ("base_status", "plus_status") if scorer == "plus" else ("base_status",)

    rows = read(path, scorer=scorer).rows

    assert counts(rows)[0] == sum(all(one[key] == "pass" for key in keys) for one in answers)
    assert len(rows) == len(answers) == 492


@peers
def test_swe_bench() -> None:
    folder = PEERS / "swe-bench"
    report: Any = document(folder / "mock__model-1.demo.json")

    rows = read(folder / "mock__model-1.demo.json", folder / "preds.jsonl", folder / "logs").rows

    passed, failed, errors = counts(rows)
    assert (passed, errors) == (report["resolved_instances"], report["infra_failure_instances"])
    assert failed == report["unresolved_instances"] + report["empty_patch_instances"]
    assert {row.model for row in rows} == {"mock/model-1"}
    assert sum(row.tests_passed is not None for row in rows) == 3  # one patch did not apply


@peers
def test_swe_bench_pro() -> None:
    (path,) = PEERS.glob("swe-bench-pro/*.json")
    whole: Any = document(path)

    assert counts(read(path).rows) == (sum(whole.values()), len(whole) - sum(whole.values()), 0)


@peers
@pytest.mark.parametrize("job", ["oracle", "mock"])
def test_harbor_counts_the_same_trials_but_an_exception_is_no_zero(job: str) -> None:
    result: Any = document(PEERS / "harbor/jobs" / job / "result.json")
    (figures,) = result["stats"]["evals"].values()

    passed, failed, errors = counts(read(PEERS / "harbor/jobs" / job).rows)

    assert (passed + failed, errors) == (figures["n_trials"], figures["n_errors"])
    # Harbor's mean counts exceptions as zeros: the same passes over all trials.
    assert passed / (passed + failed + errors) == pytest.approx(figures["metrics"][0]["mean"])


@peers
@pytest.mark.parametrize("folder", ["out", "out2"])
def test_nemo(folder: str) -> None:
    (path,) = (PEERS / "nemo" / folder).glob("*/eval-*.json")
    bundle: Any = document(path)
    scores = bundle["benchmark"]["scores"]

    rows = read(PEERS / "nemo" / folder).rows

    assert mean_pass_at_k(rows, 1) == pytest.approx(scores["pass@1"]["value"], abs=5e-5)
    assert mean_pass_at_k(rows, 3) == pytest.approx(scores["pass@3"]["value"], abs=5e-5)
    assert len(rows) == bundle["n_results"]


@peers
def test_deepeval() -> None:
    (path,) = PEERS.glob("deepeval/*.json")
    whole: Any = document(path)

    assert counts(read(path).rows) == (whole["testPassed"], whole["testFailed"], 0)


@peers
def test_cruxeval() -> None:
    (path,) = PEERS.glob("cruxeval/*.gz")
    whole: Any = document(path)

    rows = read(path).rows

    assert 100 * mean_pass_at_k(rows, 1) == pytest.approx(whole["pass_at_1"])
    assert 100 * mean_pass_at_k(rows, 5) == pytest.approx(whole["pass_at_5"])


@peers
def test_every_file_of_a_tool_is_recognised() -> None:
    logs = {
        "inspect": inspect_headers(),
        "promptfoo": [*PEERS.glob("promptfoo/made-here/output.*"), *PEERS.glob("promptfoo/fixtures/*")],
        "lm-eval": [*PEERS.glob("lm-eval/*.jsonl"), *PEERS.glob("lm-eval/*.json")],
        "swe-bench": [*PEERS.glob("swe-bench/*.json*"), *PEERS.glob("mini-swe-agent/results.json")],
        "harbor": [*PEERS.glob("harbor/jobs/*")],
        "nemo": [*PEERS.glob("nemo/out*"), *PEERS.glob("nemo/out*/*/eval-*.json")],
        "deepeval": [*PEERS.glob("deepeval/*.json")],
        "cruxeval": [*PEERS.glob("cruxeval/*.gz")],
    }

    assert {path.name: recognised(path) for tool, paths in logs.items() for path in paths} == {
        path.name: tool for tool, paths in logs.items() for path in paths
    }
