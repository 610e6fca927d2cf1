"""Check programs in every language with a recipe or a driver."""

import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from steelyard.checks.extraction.extract import extraction_tools
from steelyard.checks.forms.calls.checker import BUILD_S, code_of
from steelyard.checks.forms.io.compare import RULE
from steelyard.checks.forms.io.run import comparison_of, io_tests, run_programs
from steelyard.checks.grading.demands import require_no_demands, with_custom_check
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import explained
from steelyard.checks.toolchains.drivers.driver import drivers, with_tools
from steelyard.checks.toolchains.recipes.outcomes import built
from steelyard.checks.toolchains.recipes.recipe import Recipe, recipe_named, recipes
from steelyard.checks.toolchains.recipes.runners import StepRunners
from steelyard.checks.toolchains.recipes.step_runner import StepRunner, layout_of
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.model.sample import text_digest
from steelyard.ports import Sandbox


class IoChecker:
    """Checks programs; thread-safe. `folders` contain additional recipes."""

    def __init__(self, sandbox: Sandbox, *, folders: tuple[Path, ...] = ()) -> None:
        self._sandbox = sandbox
        self._recipes = program_recipes(*folders)
        self._runners = StepRunners(sandbox, with_tools)

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of running an answer's program on each input."""
        began = time.monotonic()
        require_no_demands(case, "functions", "types", "max_lint_warnings")
        name = case.expectations.settings.get("recipe", case.language)
        runner = self._runners.of(recipe_named(name, self._recipes), case.environment)
        try:
            outcome = self._check(case, answer, runner)
        except SandboxError as error:
            outcome = explained(Classification.ERROR, str(error))
        recipe = text_digest(repr(asdict(runner.recipe)))
        tools = {"compare": RULE, "recipe": recipe, **extraction_tools(case.language)}
        return replace(
            outcome,
            check_digest=check_digest("io", case, tools=tools),
            check_us=round((time.monotonic() - began) * 1e6),
            integrity=Integrity.SEALED,
        )

    def _check(self, case: Case, answer: str, runner: StepRunner) -> Outcome:
        language = runner.recipe.language
        extracted = code_of(case, answer, language, is_program=True)
        if extracted is None:
            return explained(Classification.WRONG_FORMAT, f"the answer contains no {language} code")
        layout = layout_of(runner.recipe, case, extracted)
        files, ended = built(runner, layout, replace(case, timeout_s=max(case.timeout_s, BUILD_S)), io=True)
        if ended is not None:
            return ended
        is_right = comparison_of(case, self._sandbox)
        outcome = run_programs(runner, layout, case, files, tests=io_tests(case), is_right=is_right)
        return with_custom_check(outcome, case, extracted.code, self._sandbox)


def program_recipes(*folders: Path) -> Mapping[str, Recipe]:
    """Return the recipes of programs by name."""
    ours = {name: driver.recipe for name, driver in drivers().items()}
    return {name: recipe for name, recipe in {**ours, **recipes(*folders)}.items() if recipe.io.run}
