"""Lay out the files of one answer for a recipe, and run its steps, each in a sandbox of its own."""

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
from steelyard.checks.npm import ABOUT
from steelyard.checks.toolchains.recipes.recipe import Recipe
from steelyard.errors import InfrastructureError
from steelyard.model.case import Case
from steelyard.model.execution import MIB, Bind, Command, ExecResult, Limits
from steelyard.ports import Sandbox

TOTAL_BYTES = Limits().output_total_bytes
_LOOKED_AT = 200_000  # characters of an answer in which its name is looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The files of one answer, and what the words in braces stand for in commands."""

    recipe: Recipe
    given: Mapping[str, bytes]  # the recipe's and the case's
    answer: Mapping[str, bytes]
    words: Mapping[str, str]
    names: tuple[str, ...]
    nonce: str = field(default_factory=lambda: secrets.token_hex(16))

    def graded(self, tests: str) -> dict[str, bytes]:
        """Return the files that belong to the tests."""
        files = {self.recipe.tests: self._filled(tests)} if self.recipe.tests else {}
        if self.recipe.names_file:
            lines = [self.recipe.name_line.replace("{name}", name) for name in self.names]
            head, tail = (part.strip("\n") for part in (self.recipe.names_head, self.recipe.names_tail))
            files[self.recipe.names_file] = self._filled("\n".join((head, *lines, tail, "")))
        return {path: text.encode() for path, text in files.items()}

    @property
    def secrets(self) -> dict[str, str]:
        """A secret word for each test; none tells anything about another."""
        return {
            name: hmac.digest(self.nonce.encode(), name.encode(), "sha256").hex()[:32] for name in self.names
        }

    @property
    def stdin(self) -> bytes:
        """What a harness reads that uses the channel: the nonce, then for each test its secret and name."""
        lines = [self.nonce, *(f"{secret} {name}" for name, secret in self.secrets.items())]
        return "".join(f"{line}\n" for line in lines).encode()

    def argv(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return a command with its words in braces filled in."""
        return tuple(self._filled(word) for word in words)

    def _filled(self, text: str) -> str:
        for name, value in self.words.items():
            text = text.replace(f"{{{name}}}", value)
        return text


def layout_of(recipe: Recipe, case: Case, found: Extracted) -> Layout:
    """Return the files for an answer: it replaces no file of the recipe and no protected one of the case."""
    changed = _changed_files(recipe, case, found)
    path = _main_path(recipe, found, changed)
    stem = PurePosixPath(path).stem
    mains = dict.fromkeys({path, *({recipe.answer} & {*recipe.build, *recipe.run})}, found.code)
    given = {path: text for path, text in {**recipe.files, **case.files}.items() if path not in changed}
    reserved = {*given, recipe.tests, recipe.names_file, *mains}
    if case.environment is not None and case.environment.npm:
        reserved.add(ABOUT)  # by its `exports`, an answer would take the place of a package
    folder = PurePosixPath(recipe.answer).parent
    others = {
        str(folder / PurePosixPath(name).name): text
        for name, text in found.files.items()
        if text != found.code and name not in changed
    }
    brought = {
        name: text
        for name, text in others.items()
        if name not in reserved
        and PurePosixPath(name).suffix in recipe.suffixes
        and not (recipe.left_out and re.search(recipe.left_out, name))
    }
    names = tuple(recipe.names(case.expectations.tests))
    words = {
        "answer_name": stem,
        "package": _first(recipe.package, found.code) or "answer",
        "names": " ".join(name for name in names if re.fullmatch(r"[\w.-]+", name)),
    }
    return Layout(
        recipe=recipe,
        given={name: text.encode() for name, text in given.items()},
        answer={name: text.encode() for name, text in {**brought, **changed, **mains}.items()},
        words=words,
        names=names,
    )


def _changed_files(recipe: Recipe, case: Case, found: Extracted) -> dict[str, str]:
    """Return the case's files that the answer changes in place."""
    editable = editable_files(case.files, recipe.suffixes) - recipe.files.keys() - {recipe.tests}
    return {name: text for name, text in found.files.items() if name in editable}


def _main_path(recipe: Recipe, found: Extracted, changed: Mapping[str, str]) -> str:
    """Return the file of the answer's main code: the one it changes, or the recipe's, named as it asks."""
    for name, text in changed.items():
        if text == found.code:
            return name
    stem = _outermost(recipe.answer_name, found.code)
    if stem is None or not stays_inside(stem):
        stem = PurePosixPath(recipe.answer).stem
    return str(PurePosixPath(recipe.answer).with_stem(stem))


def require_recipe_programs(recipe: Recipe) -> None:
    """Raise an error if a program that a recipe needs is not installed."""
    missing = [program for program in recipe.needs if shutil.which(program) is None]
    if missing:
        raise InfrastructureError(
            f"the recipe {recipe.name!r} needs {', '.join(missing)}, which is not installed; "
            f"`steelyard doctor` says how to get it"
        )


class StepRunner:
    """Runs the steps of a recipe."""

    def __init__(self, sandbox: Sandbox, recipe: Recipe, *, binds: tuple[Bind, ...] = ()) -> None:
        """Run them in a sandbox that shows the folders of the recipe, and more `binds`."""
        require_recipe_programs(recipe)
        self._sandbox = sandbox
        self.recipe = recipe
        shown = (
            Bind(source=path)
            for pattern in recipe.binds
            for path in sorted(glob.glob(pattern))  # noqa: PTH207  # absolute patterns
        )
        self._binds = (*shown, *binds)

    def run(  # noqa: PLR0913  # the parts of a command that differ from step to step
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
        """Run one step in a fresh sandbox, within a case's limits; `output_bytes` are kept of each stream.

        Of what it makes, the files in `keep` are brought back, or those like a pattern such as `*.js`.
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
    """Whether it stands for any number of files."""
    return "*" in artifact


def _first(pattern: str | None, text: str) -> str | None:
    match = re.search(pattern, text[:_LOOKED_AT]) if pattern else None
    return match[1] if match else None


def _outermost(pattern: str | None, text: str) -> str | None:
    """Return the name that stands furthest to the left: a type within another one stands further in."""
    result = [match for match in re.finditer(pattern, text[:_LOOKED_AT]) if match[1]] if pattern else []
    return min(result, key=lambda item: len(item[0]) - len(item[0].lstrip()))[1] if result else None
