"""Recognize tasks of other tools and read them as an eval set."""

from pathlib import Path

from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, Suite
from steelyard.sources.tasks.harbor import is_task_folder, read_task
from steelyard.sources.tasks.swe_bench import read_records

RECORDS = (".jsonl",)


def holds_tasks(path: Path) -> bool:
    """Whether a path is a task folder, a folder of them, or a file of SWE-bench records."""
    if path.is_file():
        return path.suffix in RECORDS
    return path.is_dir() and (is_task_folder(path) or any(map(is_task_folder, _folders(path))))


def read_tasks(path: Path) -> EvalSet:
    """Return the tasks of a path as an eval set."""
    if path.is_file():
        return _eval_set(path, tuple(read_records(path)))
    folders = [path] if is_task_folder(path) else list(filter(is_task_folder, _folders(path)))
    return _eval_set(path, tuple(map(read_task, folders)))


def _eval_set(path: Path, cases: tuple[Case, ...]) -> EvalSet:
    if not cases:
        raise InputError(f"{path}: holds no task")
    _require_different(path, cases)
    suites = tuple(Suite(id=name) for name in dict.fromkeys(case.suite for case in cases))
    return EvalSet(id=path.resolve().stem, cases=cases, suites=suites)


def _folders(path: Path) -> list[Path]:
    return sorted(folder for folder in path.iterdir() if folder.is_dir())


def _require_different(path: Path, cases: tuple[Case, ...]) -> None:
    names = [(case.suite, case.id) for case in cases]
    if repeated := sorted({f"{suite}/{name}" for suite, name in names if names.count((suite, name)) > 1}):
        raise InputError(f"{path}: several tasks have the same name: {', '.join(repeated)}")
