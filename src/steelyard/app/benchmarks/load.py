"""Convert a public benchmark to an eval set."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from steelyard.app.benchmarks.canaries import canary_cases, spread
from steelyard.app.benchmarks.catalogue import benchmark_files, find_benchmark
from steelyard.checks.toolchains.rust.vendored import FOLDER_ENV, missing_crates, vendor_folder
from steelyard.errors import InputError, UserError
from steelyard.languages.interpreted import PYTHON
from steelyard.model.benchmark import Benchmark, ProtocolKind, RunBenchmark
from steelyard.model.case import Case
from steelyard.model.environment import Environment, python_problem, unpinned
from steelyard.model.evalset import EvalSet, SamplingPlan, Suite
from steelyard.model.options import RuleChoice
from steelyard.runner.check import sandboxes
from steelyard.runner.check.expected import with_expected
from steelyard.runner.check.references import THREADS
from steelyard.sources.benchmark_data.places import FoundFile, folder_of
from steelyard.sources.benchmark_data.records import read_records

DATED, NEEDING = "date:", "needs:"  # prefixes of case tags
GREEDY = SamplingPlan(temperature=0.0)
Day = str | date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkOptions:
    """The selected tasks of a benchmark, and how they are graded."""

    data: str | Path | None = None  # the user's copy; None: the fetched data
    protocol: ProtocolKind | str = ProtocolKind.OFFICIAL
    since: Day = None  # first day, for dated benchmarks
    until: Day = None
    canaries: int = 0  # number of cases that detect training on the tasks
    packages: str | Path | None = None  # file of pinned packages for answers in Python
    python: str = ""  # Python version of these packages, such as `3.12`; empty: that of Steelyard
    tasks: int | None = None  # number of evenly spread tasks; None: all
    tries: int | None = None  # tries per task, each with the errors of the last; None: by the protocol
    sandbox: str = sandboxes.DEFAULT  # sandbox of references that compute expected results
    unsafe_no_sandbox: bool = False


DEFAULT_BENCHMARK_OPTIONS = BenchmarkOptions()


def load_benchmark(
    name: str,
    options: BenchmarkOptions = DEFAULT_BENCHMARK_OPTIONS,
    *,
    notify: Callable[[str], None] = warnings.warn,
) -> EvalSet:
    """Return the eval set of a benchmark; fetch its data if needed.

    Args:
        name: The benchmark, or a part as `name/part`, such as a language.
        options: Data, protocol, selection, packages and tries.
        notify: Called with warnings: unpinned data, or excluded tasks.

    Raises:
        UnknownName: There is no such benchmark.
        InputError: The data are invalid.
        UserError: An option does not apply to the benchmark.
    """
    benchmark, kind = find_benchmark(name), _kind(options.protocol)
    tries = benchmark.tries if options.tries is None else options.tries
    if benchmark.only_data:
        raise UserError(f"{name}: answers to this benchmark cannot be checked yet")
    files = benchmark_files(name, options.data)
    read = _read_tasks(benchmark, files, kind)
    environment = named_environment(options.packages, options.python)
    cases = _select_checkable(_with_environment(read, environment), notify)
    cases = _in_window(benchmark, cases, _parse_day(options.since), _parse_day(options.until))
    cases = cases if options.tasks is None else spread(cases, options.tasks)
    if benchmark.computes_expected:
        sandbox = sandboxes.make_sandbox(options.sandbox, allow_unsafe=options.unsafe_no_sandbox)
        cases = with_expected(cases, sandbox, folder_of(benchmark), threads=THREADS, notify=notify)
    version = _check_version(benchmark, files, notify)
    cases = (*cases, *canary_cases(benchmark, cases, options.canaries))
    return EvalSet(
        id=name,
        name=benchmark.name,
        cases=cases,
        suites=tuple(Suite(id=suite) for suite in dict.fromkeys(case.suite for case in cases)),
        sampling=_plan_sampling(tries),
        scoring=RuleChoice(name="accuracy"),
        benchmark=RunBenchmark(
            name=name,
            version=version,
            protocol=benchmark.protocol.name + ("" if tries == benchmark.tries else f" with tries={tries}"),
            kind=kind,
            tasks=sum(not case.honeypot for case in cases),
            of_tasks=len(read) if "/" in name else benchmark.tasks,
        ),
    )


def _plan_sampling(tries: int) -> SamplingPlan:
    """Return the sampling plan: one answer per task, or several tries with feedback."""
    if tries < 1:
        raise UserError(f"`tries={tries}`: expected at least 1")
    return GREEDY if tries == 1 else replace(GREEDY, stop_rule=f"maximum={tries},passes=1", feedback=True)


def _check_version(benchmark: Benchmark, files: Sequence[FoundFile], notify: Callable[[str], None]) -> str:
    """Return the data's version; notify if it is not the pinned one."""
    first = files[0]
    if all(file.is_pinned for file in files):
        return benchmark.version
    if not any(file.sha256 for file in benchmark.files):
        notify(f"{benchmark.name}: {benchmark.version} has no digest, so {first.path.name} is not pinned")
        return f"{benchmark.version}, not pinned ({first.sha256[:12]})"
    notify(f"{benchmark.name}: {first.path.name} differs from the pinned file of {benchmark.version}")
    return f"other data ({first.sha256[:12]})"


def _kind(protocol: ProtocolKind | str) -> ProtocolKind:
    try:
        return ProtocolKind(protocol)
    except ValueError:
        raise UserError(f"`protocol={protocol}`: expected official or strict") from None


def _read_tasks(benchmark: Benchmark, files: Iterable[FoundFile], kind: ProtocolKind) -> tuple[Case, ...]:
    records = [record for file in files for record in read_records(file.path)]
    try:
        cases = tuple(benchmark.cases(records, kind))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{benchmark.name}: a record differs in form from {benchmark.version}: "
            f"{type(error).__name__} {error}"
        ) from error
    if not cases:
        raise InputError(f"{benchmark.name}: the data contain no task")
    return cases


def _with_environment(cases: Sequence[Case], environment: Environment | None) -> Sequence[Case]:
    if environment is None:
        return cases
    return [
        replace(case, environment=environment) if case.language == PYTHON.name else case for case in cases
    ]


def _select_checkable(cases: Sequence[Case], notify: Callable[[str], None]) -> tuple[Case, ...]:
    """Select cases with installed packages."""
    lacking = {case.id: [] if case.environment else _list_missing(case) for case in cases}
    remaining = tuple(case for case in cases if not lacking[case.id])
    if len(remaining) < len(cases):
        names = sorted({name for missing in lacking.values() for name in missing})
        notify(
            f"{len(cases) - len(remaining)} of {len(cases)} tasks are left out: they need packages, such as "
            f"{', '.join(names[:5])}. Those of Python can be named: `packages=FILE`; "
            f"{FOLDER_ENV} names a folder of crates"
        )
    if not remaining:
        raise UserError("every task needs packages; add a file of them: `packages=FILE`")
    return remaining


def _list_missing(case: Case) -> list[str]:
    """Return the missing requirements of a task."""
    if not case.dependencies:
        return _tag_case(case, NEEDING)
    crates = {f"crate {dependency.name}" for dependency in case.dependencies}
    missing = {
        f"crate {missing_crate.split()[0]}" for missing_crate in missing_crates((case,), vendor_folder())
    }
    return [need for need in _tag_case(case, NEEDING) if need not in crates - missing]


def _in_window(
    benchmark: Benchmark, cases: Sequence[Case], since: date | None, until: date | None
) -> tuple[Case, ...]:
    if since is None and until is None:
        return tuple(cases)
    dated = [(case, date.fromisoformat(day)) for case in cases for day in _tag_case(case, DATED)]
    if not dated:
        raise UserError(f"{benchmark.name}: its tasks have no dates: remove `since` and `until`")
    result = tuple(
        case for case, day in dated if (since is None or day >= since) and (until is None or day <= until)
    )
    if not result:
        days = sorted(day for _, day in dated)
        raise UserError(
            f"{benchmark.name}: no task from `since` to `until`; tasks are dated {days[0]} to {days[-1]}"
        )
    return result


def _tag_case(case: Case, kind: str) -> list[str]:
    return [tag.removeprefix(kind) for tag in case.tags if tag.startswith(kind)]


def _parse_day(given: Day) -> date | None:
    if given is None or isinstance(given, date):
        return given
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise UserError(f"{given!r} is no date; use the form 2025-01-31") from None


def named_environment(packages: str | Path | None, python: str) -> Environment | None:
    """Return the environment of a file of pinned packages."""
    if python and (problem := python_problem(python)):
        raise UserError(f"`python={python}`: {problem}")
    if packages is None:
        if python:
            raise UserError(f"`python={python}` requires a file of packages: add `packages=FILE`")
        return None
    try:
        text = Path(packages).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{packages}: cannot be read: {error.strerror}") from error
    for number, line in unpinned(text):
        raise InputError(
            f"{packages}, line {number}, {line!r}, is not pinned to one version; "
            "write it as `name==1.2.3`, without options and addresses"
        )
    return Environment(python=python, requirements=text)
