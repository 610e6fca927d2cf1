"""Check Rust answers: build, graded tests and clippy.

Only the case's tests count. docs/how-to/check-rust.md describes what they see of the answer, and possible
attacks.
"""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.checks.extraction.extract import extract, extraction_tools
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import excerpt, explained
from steelyard.checks.grading.integrity import integrity_of_tests
from steelyard.checks.grading.limits import memory_bytes
from steelyard.checks.toolchains.rust.build import Builder, BuildResult, Grading
from steelyard.checks.toolchains.rust.demands import unmet_demands
from steelyard.checks.toolchains.rust.dependencies import Built, Dependencies
from steelyard.checks.toolchains.rust.graded import GradedModule, GradedTest, graded_modules
from steelyard.checks.toolchains.rust.rules import GradingRules, rules_of
from steelyard.checks.toolchains.rust.run import RustTestRun, TestRunner, joined
from steelyard.checks.toolchains.rust.sources import builds_combined, sources_of
from steelyard.checks.toolchains.rust.toolchain import HelperShelf, Toolchain, find_toolchain
from steelyard.errors import InputError, SandboxError
from steelyard.model.case import Case
from steelyard.model.execution import GIB, Limits
from steelyard.model.outcome import Classification, Facts, NoTests, Outcome
from steelyard.ports import Sandbox

BUILD_S = 60.0  # minimal limit of builds: the case states the limit of the answer's run


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """The input of one check."""

    case: Case
    rules: GradingRules
    modules: tuple[GradedModule, ...]  # none without tests; in crate mode one per crate
    sources: Mapping[str, bytes]
    built: Built  # the crates that the answer may use
    nonce: str
    wall_s: float  # of builds

    @property
    def tests(self) -> list[GradedTest]:
        """All graded tests, in order."""
        return [test for module in self.modules for test in module.tests]

    @property
    def code(self) -> str:
        """All Rust sources."""
        return "\n".join(text.decode() for name, text in self.sources.items() if name.endswith(".rs"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """The results of the steps of one check; skipped steps are None."""

    plain: BuildResult | None = None  # without tests
    graded: BuildResult | None = None  # with tests
    tests: RustTestRun | None = None

    @property
    def first(self) -> BuildResult:
        """The first build."""
        build_result = self.plain or self.graded
        if build_result is None:
            raise AssertionError("every check builds something")
        return build_result

    @property
    def built(self) -> bool:
        return self.first.ran.succeeded or (
            self.first.ran.limit is None and self.first.diagnostics.only_lints_fail
        )


class RustChecker:
    """Checks Rust answers in a sandbox; thread-safe.

    `vendor` is a folder created by `cargo vendor`; the default is STEELYARD_CARGO_VENDOR.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        toolchain: Toolchain | None = None,
        vendor: Path | None = None,
        build_s: float = BUILD_S,
    ) -> None:
        self._build_s = build_s
        self._sandbox = sandbox
        self._toolchain = toolchain or find_toolchain()
        self._shelf = HelperShelf(sandbox, self._toolchain)
        self._builder = Builder(sandbox, self._toolchain)
        self._runner = TestRunner(sandbox, self._toolchain)
        self._dependencies = Dependencies(sandbox, self._toolchain, vendor=vendor)

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of a model's raw answer."""
        began = time.perf_counter()
        try:
            outcome = self._checked(case, answer)
        except (SandboxError, InputError) as error:
            outcome = explained(Classification.ERROR, str(error))
        return replace(
            outcome,
            check_digest=check_digest("rust", case, tools=self._tools(case)),
            check_us=round((time.perf_counter() - began) * 1e6),
            integrity=integrity_of_tests(case),
        )

    def _tools(self, case: Case) -> dict[str, str]:
        crates = self._dependencies.tools(case)
        return {"rustc": self._toolchain.version, **crates, **extraction_tools("rust")}

    def _checked(self, case: Case, answer: str) -> Outcome:
        extracted = extract(answer, "rust", files=case.files)
        if not extracted.is_code:
            facts = Facts(classification=Classification.WRONG_FORMAT, passed=False)
            return Outcome(facts=facts, detail="the answer contains no Rust code")
        rules = rules_of(case)
        job = _Job(
            case=case,
            rules=rules,
            modules=_modules(case, rules),
            sources=sources_of(extracted, case.files),
            built=self._dependencies.of(case).with_features(rules.features),
            nonce=f"n{secrets.token_hex(8)}",
            wall_s=max(case.timeout_s, self._build_s),
        )
        steps = self._steps(job)
        return self._outcome(job, steps, self._unmet(job, steps))

    def _steps(self, job: _Job) -> _Steps:
        """Run the steps of a check until one fails."""
        if not job.modules:
            return _Steps(plain=self._builder.library(job.sources, job.built, wall_s=job.wall_s))
        if job.rules.crate is not None:
            return self._steps_by_crates(job, job.rules.crate)
        (module,) = job.modules
        combined = self._graded(job, module, linted=True) if builds_combined(job.sources) else None
        if combined and (combined.library is not None or combined.ran_out_of_time):
            return self._run_tests(job, module, _Steps(graded=combined))
        steps = _Steps(plain=self._builder.library(job.sources, job.built, wall_s=job.wall_s))
        if not steps.built:
            return steps
        # The compiler would reject the same code again.
        rejected = combined if combined and combined.ran.exit_code == 1 else None
        graded = rejected or self._graded(job, module, linted=False)
        return self._run_tests(job, module, replace(steps, graded=graded))

    def _steps_by_crates(self, job: _Job, crate: str) -> _Steps:
        """Build the answer, then build and run each test crate against it."""
        plain = self._builder.library(job.sources, job.built, wall_s=job.wall_s, linkable=True)
        steps = _Steps(plain=plain)
        runs: list[RustTestRun] = []
        remaining = [len(module.symbols(job.nonce)) for module in job.modules]
        for module in job.modules if plain.linkable else ():
            grading = self._grading(job, module)
            files = {name: text.encode() for name, text in job.case.files.items()}
            graded = self._builder.against(
                plain.linkable or b"", crate, files, job.built, grading, wall_s=job.wall_s
            )
            steps = self._run_tests(job, module, _Steps(plain=plain, graded=graded))
            if steps.tests is None:
                return steps  # the tests do not build, or must not run
            runs.append(steps.tests)
            if steps.tests.ran_out_of_time:
                break
        return replace(steps, tests=joined(runs, sum(remaining[len(runs) :]))) if runs else steps

    def _grading(self, job: _Job, module: GradedModule) -> Grading:
        grader = self._shelf.helpers().grader
        return Grading(nonce=job.nonce, module=module.named(job.nonce), grader=grader)

    def _graded(self, job: _Job, module: GradedModule, *, linted: bool) -> BuildResult:
        """Build an answer with its tests."""
        grading = self._grading(job, module)
        return self._builder.graded(job.sources, job.built, grading, wall_s=job.wall_s, linted=linted)

    def _run_tests(self, job: _Job, module: GradedModule, steps: _Steps) -> _Steps:
        """Run the tests of an answer, if they were built."""
        library = steps.graded.library if steps.graded else None
        if library is None or _is_forbidden(job.case, steps.first):
            return steps
        symbols = module.symbols(job.nonce)
        limits = Limits(
            wall_s=job.case.timeout_s,
            cpu_s=job.case.timeout_s,
            memory_bytes=memory_bytes(job.case, default=GIB),
        )
        return replace(steps, tests=self._runner.run(library, self._shelf.helpers().runner, symbols, limits))

    def _unmet(self, job: _Job, steps: _Steps) -> list[str]:
        if not steps.built or not job.case.expectations.should_build:
            return []
        return list(unmet_demands(job.case, job.code, self._lint(steps), self._sandbox))

    def _lint(self, steps: _Steps) -> int | None:
        known = self._toolchain.has_clippy and steps.built and steps.first.is_complete
        return steps.first.diagnostics.lints.total() if known else None

    def _outcome(self, job: _Job, steps: _Steps, unmet: list[str]) -> Outcome:
        """Return the outcome of a finished check."""
        kind = _classify(job, steps, unmet)
        tests = steps.tests
        none_ran = 0 if steps.built else None
        facts = Facts(
            classification=kind,
            passed=kind is Classification.PASS,
            built=None if steps.first.ran_out_of_time else steps.built,
            tests_passed=tests.passed if tests else none_ran,
            tests_failed=len(tests.endings) - tests.passed if tests else none_ran,
            tests_ignored=sum(test.is_ignored for test in job.tests) if tests else none_ran,
            no_tests=_no_tests(job, steps),
            lint_warnings=self._lint(steps),
        )
        detail = "\n".join(part for part in self._messages(job, steps, unmet) if part).replace(
            job.nonce, "tests"
        )
        peaks = [step.ran.peak_memory_bytes or 0 for step in (steps.plain, steps.graded, tests) if step]
        return Outcome(facts=facts, peak_memory_bytes=max(peaks) or None, detail=excerpt(detail))

    def _messages(self, job: _Job, steps: _Steps, unmet: list[str]) -> list[str]:
        """Return the messages of a check, the most severe first."""
        builds = [build for build in (steps.plain, steps.graded) if build]
        messages = [*unmet, *(f"stopped: {build.ran.limit}" for build in builds if build.ran.limit)]
        messages += [error for build in builds for error in build.diagnostics.errors[:5]]
        if steps.first.diagnostics.exports:
            messages.append(f"exports symbols to the linker by {', '.join(steps.first.diagnostics.exports)}")
        if steps.tests and not steps.tests.all_held:
            run = [test for test in job.tests if not test.is_ignored]
            pairs = zip(run, steps.tests.endings, strict=True)
            messages += [
                f"{test.name}: {ending or 'did not end'}" for test, ending in pairs if ending != "held"
            ]
            messages += [f"stopped: {steps.tests.ran.limit}"] if steps.tests.ran.limit else []
            messages.append(steps.tests.output())
        if not self._toolchain.has_clippy:
            messages.append("clippy is not installed: lints are unknown")
        return [*messages, steps.first.diagnostics.summary()]


def _modules(case: Case, rules: GradingRules) -> tuple[GradedModule, ...]:
    """Return the graded tests of a case."""
    if not case.expectations.tests.strip():
        return ()
    modules = graded_modules(case.expectations.tests, rules)
    if all(test.is_ignored for module in modules for test in module.tests):
        raise InputError("no graded test would run: add `#[test]` to a function, or define `fn main`")
    return tuple(module for module in modules if not all(test.is_ignored for test in module.tests))


def _is_forbidden(case: Case, build: BuildResult) -> bool:
    """Whether an answer does what its case forbids.

    Exported symbols could replace functions of the C library under the tests; unsafe code could overwrite
    their memory.
    """
    settings = case.expectations.settings
    exports = bool(build.diagnostics.exports) and settings.get("exports") != "allowed"
    return exports or (build.diagnostics.uses_unsafe and settings.get("unsafe") == "forbidden")


def _no_tests(job: _Job, steps: _Steps) -> NoTests | None:
    if not job.modules:
        return NoTests.NONE_DEFINED
    if steps.tests is not None:
        return NoTests.NONE_COLLECTED if steps.tests.none_found else None
    tried = steps.built and steps.graded is not None and steps.graded.library is None
    return NoTests.BUILD_FAILED if tried else None


def _classify(job: _Job, steps: _Steps, unmet: list[str]) -> Classification:
    """Classify a check: timeouts first, then the build, then tests and requirements."""
    if steps.first.ran_out_of_time:
        return Classification.TIMEOUT
    if not job.case.expectations.should_build:
        return Classification.FAIL if steps.built else Classification.PASS
    if not steps.built:
        return Classification.BUILD_ERROR
    if _is_forbidden(job.case, steps.first):
        return Classification.POLICY_VIOLATION
    return _classify_built(job, steps, unmet)


def _classify_built(job: _Job, steps: _Steps, unmet: list[str]) -> Classification:
    """Classify an answer that builds."""
    expectations = job.case.expectations
    passed = not job.modules or (steps.tests is not None and steps.tests.all_held)
    failed = steps.tests is not None and not passed
    if steps.tests and failed and expectations.should_pass_tests:
        if steps.tests.ran_out_of_time:
            return Classification.TIMEOUT
        if steps.tests.died:
            return Classification.CRASH
    is_good = passed if expectations.should_pass_tests or not job.modules else failed
    return Classification.PASS if is_good and not unmet else Classification.FAIL
