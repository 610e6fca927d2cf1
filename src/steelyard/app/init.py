"""Start a project: write a small working eval set and its neighbours into a folder."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from steelyard.errors import InputError, UserError
from steelyard.sources.shipped import files_of_set, shipped_sets, starting_files

SETS_FOLDER = "eval-sets"
FIRST_SET = f"{SETS_FOLDER}/first.toml"


def init(folder: str | Path = ".", *, sets: Iterable[str] = ()) -> tuple[Path, ...]:
    """Write the files of a new project, and copies of shipped eval sets; return their paths.

    If one of the files exists already, none is written.
    """
    files, shipped = starting_files(), shipped_sets()
    for name in sets:
        if name not in shipped:
            raise UserError(f"`sets={name}`: there is no such set; there is {', '.join(shipped)}")
        files |= {f"{SETS_FOLDER}/{path}": text for path, text in files_of_set(name).items()}
    _write_new(Path(folder), files)
    return tuple(Path(folder) / path for path in files)


def _write_new(folder: Path, files: Mapping[str, str]) -> None:
    existing = [str(folder / path) for path in files if (folder / path).exists()]
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
