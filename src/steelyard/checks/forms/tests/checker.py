"""Check answers in any language with a recipe: build, run the graded tests, count results by name."""

import re
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

from steelyard.checks.extraction.extract import extract, extraction_tools
from steelyard.checks.forms.io.checker import IoChecker
from steelyard.checks.forms.tests.steps import tested
from steelyard.checks.grading.demands import require_no_demands, with_custom_check
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import explained
from steelyard.checks.grading.integrity import integrity_of_tests
from steelyard.checks.toolchains.recipes.outcomes import built
from steelyard.checks.toolchains.recipes.recipe import Recipe, recipe_named, recipes
from steelyard.checks.toolchains.recipes.runners import StepRunners
from steelyard.checks.toolchains.recipes.step_runner import StepRunner, layout_of
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Outcome
from steelyard.model.sample import text_digest
from steelyard.ports import Sandbox

BY_IO = "io"


class CommandChecker:
    """Checks by recipe; thread-safe.

    `settings.recipe` names the recipe; the default is the language of the case. `folders` contain additional
    recipes. With `settings.tests = "io"` the tests are inputs and outputs of a program.
    """

    def __init__(self, sandbox: Sandbox, *, folders: tuple[Path, ...] = ()) -> None:
        self._sandbox = sandbox
        self._recipes = recipes(*folders)
        self._programs = IoChecker(sandbox, folders=folders)
        self._runners = StepRunners(sandbox)

    @property
    def recipes(self) -> Mapping[str, Recipe]:
        """The recipes by name."""
        return self._recipes

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of building and testing an answer."""
        if case.expectations.settings.get("tests") == BY_IO:
            return self._programs.check(case, answer)
        began = time.monotonic()
        require_no_demands(case, "functions", "types", "max_lint_warnings")
        recipe = recipe_named(case.expectations.settings.get("recipe", case.language), self._recipes)
        runner = self._runners.of(recipe, case.environment)
        try:
            outcome = self._check(runner, recipe, case, answer)
        except SandboxError as error:
            outcome = explained(Classification.ERROR, str(error))
        return replace(
            outcome,
            check_digest=check_digest(
                "command",
                case,
                tools={"recipe": text_digest(repr(asdict(recipe))), **extraction_tools(case.language)},
            ),
            check_us=round((time.monotonic() - began) * 1e6),
            integrity=integrity_of_tests(case),
        )

    def _check(self, runner: StepRunner, recipe: Recipe, case: Case, answer: str) -> Outcome:
        extracted = extract(answer, recipe.language, files=case.files)
        if not extracted.is_code:
            return explained(Classification.WRONG_FORMAT, f"the answer contains no {recipe.language} code")
        texts = (extracted.code, *extracted.files.values())
        if recipe.forbidden and any(re.search(recipe.forbidden, text) for text in texts):
            return explained(
                Classification.POLICY_VIOLATION, "the answer contains code that the recipe forbids"
            )
        layout = layout_of(recipe, case, extracted)
        files, ended = built(runner, layout, case, io=False)
        if ended is not None:
            return ended
        outcome = tested(runner, layout, case, files)
        return with_custom_check(outcome, case, extracted.code, self._sandbox)
