"""Create a project: a small working eval set and its configuration."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from steelyard.errors import InputError, UserError
from steelyard.sources.prompt_table import eval_set_of_table
from steelyard.sources.pytest_folder.eval_set import eval_set_of_tests
from steelyard.sources.shipped import files_of_set, shipped_sets, starting_files

SETS_FOLDER = "eval-sets"
CONFIG = "steelyard.toml"
FIRST_SET = f"{SETS_FOLDER}/first.toml"


def init(
    folder: str | Path = ".",
    *,
    sets: Iterable[str] = (),
    from_csv: str | Path | None = None,
    from_pytest: str | Path | None = None,
    modules_under_test: Iterable[str | Path] = (),
) -> tuple[Path, ...]:
    """Write the files of a new project, and copies of shipped eval sets; return their paths.

    With `from_csv`, write only an eval set with a case for each row of that table of prompts and tests; with
    `from_pytest`, one with a case for each test file of that folder, whose references are
    `modules_under_test` or modules that the tests import.
    If one of the files exists already, none is written; a `steelyard.toml` that is there stays.
    """
    if from_pytest is not None:
        tests = Path(from_pytest)
        text = eval_set_of_tests(tests, Path(folder), [Path(path) for path in modules_under_test])
        path = f"{tests.resolve().name}.toml"
        _write_new(Path(folder), {path: text})
        return (Path(folder) / path,)
    if from_csv is not None:
        table = Path(from_csv)
        files = {f"{SETS_FOLDER}/{table.stem}.toml": eval_set_of_table(table)}
        _write_new(Path(folder), files)
        return tuple(Path(folder) / path for path in files)
    files, shipped = starting_files(), shipped_sets()
    if os.path.exists(Path(folder) / CONFIG):  # noqa: PTH110  # `Path.exists` raises where nothing may be searched
        del files[CONFIG]
    for name in sets:
        if name not in shipped:
            raise UserError(f"`sets={name}`: there is no such set; there is {', '.join(shipped)}")
        files |= {f"{SETS_FOLDER}/{path}": text for path, text in files_of_set(name).items()}
    _write_new(Path(folder), files)
    return tuple(Path(folder) / path for path in files)


def _write_new(folder: Path, files: Mapping[str, str]) -> None:
    existing = [str(folder / path) for path in files if os.path.exists(folder / path)]  # noqa: PTH110  # as above
    if existing:
        raise InputError(
            f"{', '.join(existing)}: already there, and nothing is overwritten; choose another folder"
        )
    try:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with (folder / path).open("x", encoding="utf-8", newline="") as file:
                file.write(text)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to ({error.strerror})") from None
