"""Read the ordinary test cases of this folder: prompt, right answer, wrong answer, tests.

Runs nothing: prove.py runs them by plain pytest.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
LOCK = HERE / "requirements.lock"
OWN_FILES = {"prompt.md", "solution.py", "wrong.py", "test_solution.py", "case.toml"}
SECTION = re.compile(r"^# --- (prompt|right|wrong|tests)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NaturalCase:
    """A task with tests, a right answer and a wrong one."""

    name: str
    prompt: str
    solution: str
    wrong: str
    tests: str
    module: str = "solution"  # the tests import the answer by this name
    support: dict[str, str] = field(default_factory=dict)  # conftest.py and data beside the tests
    shipped: dict[str, str] = field(default_factory=dict)  # files the answer may replace

    def write(self, folder: Path, answer: str) -> None:
        """Write the shipped files, the answer and the tests into a folder."""
        answered = {f"{self.module}.py": answer, "test_solution.py": self.tests}
        for name, text in (self.shipped | answered | self.support).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def all_cases() -> Iterator[NaturalCase]:
    """Yield the cases of all three sets; names are unique within a set."""
    yield from first_set()
    yield from second_set()
    yield from formerly_refused()


def first_set() -> Iterator[NaturalCase]:
    return _folders(HERE / "first")


def second_set() -> Iterator[NaturalCase]:
    return _folders(HERE / "second")


def formerly_refused() -> Iterator[NaturalCase]:
    """Yield cases whose tests the two-process grader refused."""
    for path in sorted((HERE / "formerly_refused").glob("*.py")):
        _, *parts = SECTION.split(path.read_text(encoding="utf-8"))
        sections = dict(zip(parts[::2], parts[1::2], strict=True))
        yield NaturalCase(
            name=path.stem,
            prompt=sections["prompt"].replace("\n# ", "\n").removeprefix("# ").strip(),
            solution=sections["right"],
            wrong=sections["wrong"],
            tests=sections["tests"],
        )


def _folders(root: Path) -> Iterator[NaturalCase]:
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        settings = folder / "case.toml"
        yield NaturalCase(
            name=folder.name,
            prompt=_read(folder / "prompt.md"),
            solution=_read(folder / "solution.py"),
            wrong=_read(folder / "wrong.py"),
            tests=_read(folder / "test_solution.py"),
            support={
                name: text
                for name, text in _texts(folder).items()
                if name.split("/")[0] not in OWN_FILES | {"files"}
            },
            shipped=_texts(folder / "files"),
            **(tomllib.loads(_read(settings)) if settings.exists() else {}),
        )


def _texts(folder: Path) -> dict[str, str]:
    paths = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): _read(path) for path in sorted(paths)}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
