"""Lay out the files of an answer for a recipe and run its steps, each in its own sandbox."""

import glob
import hmac
import re
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from steelyard.checks.extraction.extract import Extracted
from steelyard.checks.extraction.paths import stays_inside
from steelyard.checks.grading.limits import memory_bytes
from steelyard.checks.grading.protected import editable_files
from steelyard.checks.npm import MANIFEST
from steelyard.checks.toolchains.recipes.recipe import Recipe
from steelyard.errors import InfrastructureError
from steelyard.model.case import Case
from steelyard.model.execution import MIB, Bind, Command, ExecResult, Limits
from steelyard.ports import Sandbox

TOTAL_BYTES = Limits().output_total_bytes
_SEARCHED = 200_000  # characters of an answer searched for its name


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The files of an answer, and the values of words in braces."""

    recipe: Recipe
    given: Mapping[str, bytes]  # of the recipe and the case
    answer: Mapping[str, bytes]
    words: Mapping[str, str]
    names: tuple[str, ...]
    nonce: str = field(default_factory=lambda: secrets.token_hex(16))

    def graded(self, tests: str) -> dict[str, bytes]:
        """Return the files of the tests."""
        files = {self.recipe.tests: self._fill(tests)} if self.recipe.tests else {}
        if self.recipe.names_file:
            lines = [self.recipe.name_line.replace("{name}", name) for name in self.names]
            head, tail = (part.strip("\n") for part in (self.recipe.names_head, self.recipe.names_tail))
            files[self.recipe.names_file] = self._fill("\n".join((head, *lines, tail, "")))
        return {path: text.encode() for path, text in files.items()}

    @property
    def secrets(self) -> dict[str, str]:
        """Independent secrets of the tests."""
        return {
            name: hmac.digest(self.nonce.encode(), name.encode(), "sha256").hex()[:32] for name in self.names
        }

    @property
    def stdin(self) -> bytes:
        """The input of a harness with a channel: the nonce, then secret and name of each test."""
        lines = [self.nonce, *(f"{secret} {name}" for name, secret in self.secrets.items())]
        return "".join(f"{line}\n" for line in lines).encode()

    def argv(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return a command with filled words in braces."""
        return tuple(self._fill(word) for word in words)

    def _fill(self, text: str) -> str:
        for name, value in self.words.items():
            text = text.replace(f"{{{name}}}", value)
        return text


def layout_of(recipe: Recipe, case: Case, extracted: Extracted) -> Layout:
    """Lay out an answer; it replaces no file of the recipe and no protected file of the case."""
    changed = _changed_files(recipe, case, extracted)
    path = _main_path(recipe, extracted, changed)
    stem = PurePosixPath(path).stem
    mains = dict.fromkeys({path, *({recipe.answer} & {*recipe.build, *recipe.run})}, extracted.code)
    given = {path: text for path, text in {**recipe.files, **case.files}.items() if path not in changed}
    reserved = {*given, recipe.tests, recipe.names_file, *mains}
    if case.environment is not None and case.environment.npm:
        reserved.add(MANIFEST)  # its `exports` could replace a package
    folder = PurePosixPath(recipe.answer).parent
    others = {
        str(folder / PurePosixPath(name).name): text
        for name, text in extracted.files.items()
        if text != extracted.code and name not in changed
    }
    further = {
        name: text
        for name, text in others.items()
        if name not in reserved
        and PurePosixPath(name).suffix in recipe.suffixes
        and not (recipe.left_out and re.search(recipe.left_out, name))
    }
    names = tuple(recipe.names(case.expectations.tests))
    words = {
        "answer_name": stem,
        "package": _first_group(recipe.package, extracted.code) or "answer",
        "names": " ".join(name for name in names if re.fullmatch(r"[\w.-]+", name)),
    }
    return Layout(
        recipe=recipe,
        given={name: text.encode() for name, text in given.items()},
        answer={name: text.encode() for name, text in {**further, **changed, **mains}.items()},
        words=words,
        names=names,
    )


def _changed_files(recipe: Recipe, case: Case, extracted: Extracted) -> dict[str, str]:
    """Return the files of the case that the answer edits."""
    editable = editable_files(case.files, recipe.suffixes) - recipe.files.keys() - {recipe.tests}
    return {name: text for name, text in extracted.files.items() if name in editable}


def _main_path(recipe: Recipe, extracted: Extracted, changed: Mapping[str, str]) -> str:
    """Return the path of the main code: an edited file of the case, or the recipe's path."""
    for name, text in changed.items():
        if text == extracted.code:
            return name
    stem = _outermost(recipe.answer_name, extracted.code)
    if stem is None or not stays_inside(stem):
        stem = PurePosixPath(recipe.answer).stem
    return str(PurePosixPath(recipe.answer).with_stem(stem))


def require_recipe_programs(recipe: Recipe) -> None:
    """Raise an error if a program that a recipe needs is not installed."""
    missing = [program for program in recipe.needs if shutil.which(program) is None]
    if missing:
        raise InfrastructureError(
            f"the recipe {recipe.name!r} needs {', '.join(missing)}, which is not installed; "
            f"run `steelyard doctor`"
        )


class StepRunner:
    """Runs the steps of a recipe."""

    def __init__(self, sandbox: Sandbox, recipe: Recipe, *, binds: tuple[Bind, ...] = ()) -> None:
        """`binds` are visible in addition to the folders of the recipe."""
        require_recipe_programs(recipe)
        self._sandbox = sandbox
        self.recipe = recipe
        folders = (
            Bind(source=path)
            for pattern in recipe.binds
            for path in sorted(glob.glob(pattern))  # noqa: PTH207  # absolute patterns
        )
        self._binds = (*folders, *binds)

    def run(  # noqa: PLR0913  # the parts of a step
        self,
        argv: tuple[str, ...],
        files: Mapping[str, bytes],
        *,
        case: Case,
        keep: tuple[str, ...] = (),
        stdin: bytes = b"",
        channel: bool = False,
        output_bytes: int = MIB,
    ) -> ExecResult:
        """Run one step in a fresh sandbox within the limits of the case.

        Returns files that match `keep`, paths or patterns such as `*.js`, and `output_bytes` of each stream.
        """
        return self._sandbox.run(
            Command(
                argv=argv,
                files=files,
                executable=frozenset(files)
                & {*self.recipe.artifacts, self.recipe.program, *self.recipe.io.artifacts},
                binds=self._binds,
                env=self.recipe.env,
                stdin=stdin,
                channel=channel,
                keep=tuple(path for path in keep if not is_pattern(path)),
                keep_matching=tuple(path for path in keep if is_pattern(path)),
                limits=Limits(
                    wall_s=case.timeout_s,
                    cpu_s=max(case.timeout_s * 2, 1.0),
                    memory_bytes=memory_bytes(case, default=self.recipe.memory_mib * MIB),
                    processes=256,
                    open_files=1024,
                    output_bytes=output_bytes,
                    output_total_bytes=TOTAL_BYTES + output_bytes,
                ),
            )
        )


def is_pattern(artifact: str) -> bool:
    """Whether an artifact is a pattern of files."""
    return "*" in artifact


def _first_group(pattern: str | None, text: str) -> str | None:
    match = re.search(pattern, text[:_SEARCHED]) if pattern else None
    return match[1] if match else None


def _outermost(pattern: str | None, text: str) -> str | None:
    """Return the least indented match: nested types are indented."""
    matches = [match for match in re.finditer(pattern, text[:_SEARCHED]) if match[1]] if pattern else []
    return min(matches, key=lambda match: len(match[0]) - len(match[0].lstrip()))[1] if matches else None
