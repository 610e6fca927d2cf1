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
    """Write the files of a new project and return their paths; never overwrites files.

    Args:
        folder: The target folder.
        sets: Shipped eval sets to copy.
        from_csv: Write only an eval set with a case per row of this table of prompts and tests.
        from_pytest: Write only an eval set with a case per test file of this folder.
        modules_under_test: References for `from_pytest`. Default: modules that the tests import.

    Raises:
        InputError: One of the files exists, or a source is invalid.
    """
    if from_pytest is not None:
        tests = Path(from_pytest)
        text = eval_set_of_tests(tests, Path(folder), [Path(path) for path in modules_under_test])
        path = f"{tests.resolve().name}.toml"
        _write_new_files(Path(folder), {path: text})
        return (Path(folder) / path,)
    if from_csv is not None:
        table = Path(from_csv)
        files = {f"{SETS_FOLDER}/{table.stem}.toml": eval_set_of_table(table)}
        _write_new_files(Path(folder), files)
        return tuple(Path(folder) / path for path in files)
    files, shipped = starting_files(), shipped_sets()
    if os.path.exists(Path(folder) / CONFIG):  # noqa: PTH110  # `Path.exists` raises without permission to search
        del files[CONFIG]
    for name in sets:
        if name not in shipped:
            raise UserError(f"`sets={name}`: no such eval set; choose from {', '.join(shipped)}")
        files |= {f"{SETS_FOLDER}/{path}": text for path, text in files_of_set(name).items()}
    _write_new_files(Path(folder), files)
    return tuple(Path(folder) / path for path in files)


def _write_new_files(folder: Path, files: Mapping[str, str]) -> None:
    existing = [str(folder / path) for path in files if os.path.exists(folder / path)]  # noqa: PTH110  # as above
    if existing:
        raise InputError(
            f"{', '.join(existing)}: exists already, and init overwrites nothing; choose another folder"
        )
    try:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with (folder / path).open("x", encoding="utf-8", newline="") as file:
                file.write(text)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to ({error.strerror})") from None
