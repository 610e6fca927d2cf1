"""Read an eval set: a TOML file, a folder of TOML files, or the name of a set that comes with Steelyard.

A folder is one set. A file of it without `[eval_set]` takes the defaults of the only file that has one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from steelyard.errors import InputError
from steelyard.languages.lookup import canonical_language
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, Suite, Tier
from steelyard.model.nearest_name import did_you_mean
from steelyard.model.run import Subject
from steelyard.sources.evalset import records
from steelyard.sources.evalset.environment import environment_of, unused_parts
from steelyard.sources.evalset.judge import judge_of
from steelyard.sources.evalset.settings import setting_problem, value_problem
from steelyard.sources.evalset.shape import (
    FORM,
    CaseTable,
    EvalSetFile,
    EvalSetTable,
    SetFile,
    SuiteTable,
    TierTable,
)
from steelyard.sources.evalset.variables import expand_variables
from steelyard.sources.shipped import find, shipped_sets
from steelyard.sources.tasks.read import holds_tasks, read_tasks
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import Problem, quote, refusal
from steelyard.sources.toml.tables import TomlTables, read_tables
from steelyard.sources.waivers import SUFFIX as WAIVERS

ONLY_ONE = ("sampling", "scoring", "judge", "environment")
Listed = CaseTable | SuiteTable | TierTable


def read_eval_set(place: str | Path) -> EvalSet:
    """Read a set, or say everything that is wrong with it."""
    path = find(place, shipped_sets(), what="set")
    if holds_tasks(path):
        return read_tasks(path)
    return _validated(path, [read_tables(file, FORM) for file in _files(path)])


def case_of_table(table: CaseTable) -> Case:
    """Return the case of one table, or say everything that is wrong with it."""
    path = Path("case")
    return _validated(path, [TomlTables(path=path, holds=EvalSetFile(cases=(table,)))]).cases[0]


def _validated(path: Path, reads: list[SetFile]) -> EvalSet:
    problems = [problem for read in reads for problem in read.problems]
    is_whole = not problems
    problems += [problem for read in reads for problem in records.file_problems(read)]
    problems += [problem for kind in ("cases", "suites", "tiers") for problem in _repeated(reads, kind)]
    # What a table that cannot be read would have listed, such as the default language, is unknown.
    problems += _contradictions(reads) if is_whole else _misspelt_settings(reads, with_default=False)
    if problems:
        raise refusal(path, problems)
    return _assemble(path, reads)


def eval_set_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of an eval-set file, for editors."""
    return FORM.json_schema()


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(
        file
        for file in path.glob("*.toml")
        if file.is_file() and not file.name.startswith(".") and not file.name.endswith(WAIVERS)
    )
    if not files:
        raise InputError(f"{path}: there is no .toml file in this folder; put the cases into one")
    return files


def _heads(reads: Iterable[SetFile]) -> list[EvalSetTable]:
    return [read.holds.eval_set for read in reads if read.holds.eval_set is not None]


def _assemble(path: Path, reads: list[SetFile]) -> EvalSet:
    heads = _heads(reads)
    head = heads[0] if len(heads) == 1 else EvalSetTable(id=path.stem)
    listed = tuple(table for read in reads for table in read.holds.suites)
    cases = tuple(
        records.case_of(table, records.defaults_of(read.holds.eval_set or head, listed))
        for read in reads
        for given in read.holds.cases
        for table in expand_variables(given)
    )
    cases = _with_environment(path, reads, cases)
    suites = tuple(records.suite_of(table) for table in listed)
    if not suites:
        suites = tuple(Suite(id=name) for name in dict.fromkeys(case.suite for case in cases))
    tiers = [records.tier_of(table, read.path.parent) for read in reads for table in read.holds.tiers]
    return EvalSet(
        id=head.id,
        name=head.name,
        description=head.description,
        cases=cases,
        suites=suites,
        tiers=tuple(tiers) or (Tier(),),
        subjects=_subjects(reads),
        sampling=records.sampling_of(
            next((read.holds.sampling for read in reads if read.holds.sampling), None)
        ),
        scoring=records.scoring_of(next((read.holds.scoring for read in reads if read.holds.scoring), None)),
        judge=next(
            (judge_of(read.holds.judge, read.path.parent) for read in reads if read.holds.judge), None
        ),
        assumed_language=_assumed_language(reads, head),
    )


def _with_environment(path: Path, reads: list[SetFile], cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Return the cases with the set's environment of their language."""
    for read in reads:
        if (table := read.holds.environment) is None:
            continue
        if problems := [read.problem(at, text) for at, text in unused_parts(table, cases)]:
            raise refusal(path, problems)
        return tuple(replace(case, environment=environment_of(table, case)) for case in cases)
    return cases


def _assumed_language(reads: list[SetFile], head: EvalSetTable) -> str | None:
    """Return the language that cases get because nothing names one; None if every case has its own."""
    is_assumed = any(
        not case.language and (read.holds.eval_set or head).default_language is None
        for read in reads
        for case in read.holds.cases
    )
    return records.ASSUMED_LANGUAGE if is_assumed else None


def _subjects(reads: list[SetFile]) -> tuple[Subject, ...]:
    tables = (table for read in reads for table in read.holds.subjects)
    return tuple(Subject(model=table.model, tier=table.tier, parameters=table.parameters) for table in tables)


def _contradictions(reads: list[SetFile]) -> Iterator[Problem]:
    """Find what only several tables together can get wrong."""
    if not any(read.holds.cases for read in reads):
        yield reads[0].problem(
            (), "there is no case in this set; add a [[cases]] table with an id and a prompt"
        )
    elif all(case.honeypot for read in reads for case in read.holds.cases):
        yield reads[0].problem((), "every case of this set is a honeypot, which no score counts; add others")
    for name in ONLY_ONE:
        for read in [read for read in reads if getattr(read.holds, name) is not None][1:]:
            yield read.problem(
                (name,), f"another file of this folder has a [{name}] too; leave one of them out"
            )
    yield from _unlisted(reads)
    yield from _misspelt_settings(reads)
    weights = [table.weight for read in reads for table in read.holds.suites]
    if weights and not any(weights):
        yield reads[0].problem(("suites", 0), "all suites have weight 0; give one of them some weight")


def _repeated(reads: list[SetFile], kind: str) -> Iterator[Problem]:
    seen: dict[str, Problem] = {}
    for read, at, table in _tables(reads, kind):
        here = read.problem((*at, "id"), "")
        first = seen.setdefault(table.id, here)
        if first is not here:
            where = f"{first.file}:{first.line}" if first.file != here.file else f"line {first.line}"
            message = (
                f"the {kind.rstrip('s')} {quote(table.id)} is there already, at {where}; choose another id"
            )
            yield replace(here, message=message)


def _tables(reads: list[SetFile], kind: str) -> Iterator[tuple[SetFile, KeyPath, Listed]]:
    for read in reads:
        for index, table in enumerate(getattr(read.holds, kind)):
            for item in expand_variables(table) if isinstance(table, CaseTable) else (table,):
                yield read, (kind, index), item


def _unlisted(reads: list[SetFile]) -> Iterator[Problem]:
    """Find cases in suites, and subjects with tiers, that the set does not list."""
    listed = tuple(table for read in reads for table in read.holds.suites)
    suites, default = [table.id for table in listed], records.defaults_of(None, listed).suite
    tiers = [table.id for read in reads for table in read.holds.tiers] or [Tier().id]
    for read in reads:
        for index, case in enumerate(read.holds.cases):
            suite = case.suite or default
            if suites and suite not in suites:
                message = f"case {quote(case.id)} is in suite {quote(suite)}, which is not listed"
                yield read.problem(("cases", index, "suite"), f"{message}; {did_you_mean(suite, suites)}")
        for index, subject in enumerate(read.holds.subjects):
            if subject.tier not in tiers:
                message = f"there is no tier {quote(subject.tier)}; {did_you_mean(subject.tier, tiers)}"
                yield read.problem(("subjects", index, "tier"), message)


def _misspelt_settings(reads: list[SetFile], *, with_default: bool = True) -> Iterator[Problem]:
    """Find settings that the check of a case does not take, and values that it cannot use.

    Unless `with_default`, only cases that name their language are looked at.
    """
    heads = _heads(reads)
    for read in reads:
        head = read.holds.eval_set or (heads[0] if len(heads) == 1 else None)
        default = records.defaults_of(head, ()).language if with_default else ""
        for index, case in enumerate(read.holds.cases):
            for problem, name in _setting_problems(case, canonical_language(case.language or default)):
                at = ("cases", index, "expectations", "settings", name)
                yield read.problem(at, f"case {quote(case.id)}: {problem}")


def _setting_problems(case: CaseTable, language: str) -> Iterator[tuple[str, str]]:
    for name in case.expectations.settings:
        values = dict.fromkeys(item.expectations.settings[name] for item in expand_variables(case))
        problem = setting_problem(language, name) or next(
            filter(None, (value_problem(language, name, value) for value in values)), None
        )
        if problem:
            yield problem, name
