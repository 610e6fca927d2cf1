"""Build and run a whole program in the sandbox and return its output, without grading it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.checks.extraction.extract import Extracted, Means
from steelyard.checks.forms.io.checker import program_recipes
from steelyard.checks.toolchains.drivers.driver import warm_options, with_tools
from steelyard.checks.toolchains.recipes.outcomes import running_files
from steelyard.checks.toolchains.recipes.runners import StepRunners
from steelyard.checks.toolchains.recipes.step_runner import layout_of
from steelyard.errors import SandboxError, UserError
from steelyard.languages.interpreted import PYTHON
from steelyard.languages.lookup import canonical_language
from steelyard.model.case import Case
from steelyard.model.execution import MIB, ExecResult
from steelyard.ports import Sandbox
from steelyard.runner.check.checkers import warm_up

OUTPUT_BYTES = 16 * MIB  # of each stream; a program that prints more did not succeed


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program to build and run."""

    code: str
    language: str
    stdin: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    fetch: tuple[str, ...] = ()  # files to return
    build_s: float = 10.0
    run_s: float = 10.0
    memory_mb: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramResult:
    """How a program was built and how it ran; `problem` is set if the infrastructure failed."""

    build: ExecResult | None = None
    run: ExecResult | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    problem: str = ""


def program_languages() -> tuple[str, ...]:
    """Return the languages of programs."""
    return tuple(sorted({recipe.language for recipe in program_recipes().values()}))


def is_program_language(language: str) -> bool:
    """Whether programs in this language can be run."""
    return canonical_language(language) in program_languages()


class ProgramRunner:
    """Runs programs in every language with a recipe for them; not thread-safe."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._recipes = program_recipes()
        self._runners: dict[str, StepRunners] = {}

    def run(self, program: Program) -> ProgramResult:
        """Build and run a program."""
        try:
            return self._run(program)
        except (SandboxError, UserError) as error:
            return ProgramResult(problem=str(error))

    def _run(self, program: Program) -> ProgramResult:
        language = canonical_language(program.language)
        runner = self._runners_of(language).of(self._recipes[language])
        case = Case(
            id="program",
            language=language,
            timeout_s=program.run_s,
            memory_mb=program.memory_mb,
        )
        layout = layout_of(runner.recipe, case, Extracted(code=program.code, means=Means.WHOLE))
        step = runner.recipe.io
        files = {**layout.given, **program.files, **layout.answer}
        built = None
        if step.build:
            building = Case(id="program", language=language, timeout_s=program.build_s)
            built = runner.run(layout.argv(step.build), files, case=building, keep=step.artifacts)
            if not built.succeeded:
                return ProgramResult(build=built)
            files = {**files, **built.files}
        ended = runner.run(
            layout.argv(step.run),
            running_files(files, step.artifacts, beside=program.files),
            case=case,
            keep=program.fetch,
            stdin=program.stdin.encode("utf-8", "surrogatepass"),
            output_bytes=OUTPUT_BYTES,
        )
        return ProgramResult(build=built, run=ended, files=ended.files)

    def _runners_of(self, language: str) -> StepRunners:
        if language not in self._runners:
            options = warm_options() if language == PYTHON.name else None
            self._runners[language] = StepRunners(warm_up(self._sandbox, options), with_tools)
        return self._runners[language]
