"""Check Rust answers: whether they build, whether the graded tests hold, what clippy says.

Only the tests of the case count. What they see of the answer, and what it can do to them, is described in
docs/how-to/check-rust.md.
"""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.checks.digests import check_digest
from steelyard.checks.excerpts import excerpt
from steelyard.checks.extraction.extract import extract, extraction_tools
from steelyard.checks.rust.build import Builder, BuildResult, Grading
from steelyard.checks.rust.demands import unmet_demands
from steelyard.checks.rust.dependencies import Built, Dependencies
from steelyard.checks.rust.graded import GradedModule, graded_module
from steelyard.checks.rust.run import RustTestRun, TestRunner
from steelyard.checks.rust.sources import builds_at_one_go, sources_of
from steelyard.checks.rust.toolchain import HelperShelf, Toolchain, find_toolchain
from steelyard.errors import InputError, SandboxError
from steelyard.model.case import Case
from steelyard.model.execution import Limits
from steelyard.model.outcome import Classification, Facts, NoTests, Outcome
from steelyard.ports import Sandbox

BUILD_S = 60.0  # a build may take this long at least: a case's limit is meant for what the answer does


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """What one check has to do."""

    case: Case
    module: GradedModule | None  # None when the case has no tests
    sources: Mapping[str, bytes]
    built: Built  # the libraries that the answer may use
    nonce: str
    wall_s: float  # for a build

    @property
    def code(self) -> str:
        """All the Rust there is."""
        return "\n".join(text.decode() for name, text in self.sources.items() if name.endswith(".rs"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What the steps of one check saw; a step that was not taken is None."""

    alone: BuildResult | None = None  # the answer without tests
    graded: BuildResult | None = None  # the answer with its tests
    tests: RustTestRun | None = None

    @property
    def first(self) -> BuildResult:
        """The build that tells about the answer itself."""
        found = self.alone or self.graded
        if found is None:
            raise AssertionError("every check builds something")
        return found

    @property
    def built(self) -> bool:
        return self.first.ran.succeeded or (self.first.ran.limit is None and self.first.said.only_lints_fail)


class RustChecker:
    """Checks Rust answers in a sandbox; safe to call from many threads."""

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
        """Return what a check of the model's raw answer saw."""
        began = time.perf_counter()
        try:
            outcome = self._checked(case, answer)
        except (SandboxError, InputError) as error:
            outcome = Outcome(facts=Facts(classification=Classification.ERROR), detail=excerpt(str(error)))
        return replace(
            outcome,
            check_digest=check_digest(
                "rust", case, tools={"rustc": self._toolchain.version, **extraction_tools()}
            ),
            check_us=round((time.perf_counter() - began) * 1e6),
        )

    def _checked(self, case: Case, answer: str) -> Outcome:
        extracted = extract(answer, "rust", files=case.files)
        if not extracted.found:
            facts = Facts(classification=Classification.WRONG_FORMAT, passed=False)
            return Outcome(facts=facts, detail="there is no Rust code in the answer")
        job = _Job(
            case=case,
            module=_module(case),
            sources=sources_of(extracted, case.files),
            built=self._dependencies.of(case),
            nonce=f"n{secrets.token_hex(8)}",
            wall_s=max(case.timeout_s, self._build_s),
        )
        seen = self._seen(job)
        return self._reported(job, seen, self._unmet(job, seen))

    def _seen(self, job: _Job) -> _Seen:
        """Take the steps of a check, as far as each one leads to the next."""
        if job.module is None:
            return _Seen(alone=self._builder.library(job.sources, job.built, wall_s=job.wall_s))
        at_one_go = self._graded(job, job.module, linted=True) if builds_at_one_go(job.sources) else None
        if at_one_go and (at_one_go.library is not None or at_one_go.ran_out_of_time):
            return self._tested(job, job.module, _Seen(graded=at_one_go))
        seen = _Seen(alone=self._builder.library(job.sources, job.built, wall_s=job.wall_s))
        if not seen.built:
            return seen
        # What the compiler has refused already, it would refuse again.
        refused = at_one_go if at_one_go and at_one_go.ran.exit_code == 1 else None
        graded = refused or self._graded(job, job.module, linted=False)
        return self._tested(job, job.module, replace(seen, graded=graded))

    def _graded(self, job: _Job, module: GradedModule, *, linted: bool) -> BuildResult:
        """Build an answer together with its tests."""
        grader = self._shelf.helpers().grader
        grading = Grading(nonce=job.nonce, module=module.named(job.nonce), grader=grader)
        return self._builder.graded(job.sources, job.built, grading, wall_s=job.wall_s, linted=linted)

    def _tested(self, job: _Job, module: GradedModule, seen: _Seen) -> _Seen:
        """Run the tests of an answer, if it has been built with them."""
        library = seen.graded.library if seen.graded else None
        if library is None or _reaches_around(job.case, seen.first):
            return seen
        symbols = [f"{job.nonce}_{at}" for at, test in enumerate(module.tests) if not test.is_ignored]
        limits = Limits(wall_s=job.case.timeout_s, cpu_s=job.case.timeout_s)
        return replace(seen, tests=self._runner.run(library, self._shelf.helpers().runner, symbols, limits))

    def _unmet(self, job: _Job, seen: _Seen) -> list[str]:
        if not seen.built or not job.case.expectations.should_build:
            return []
        return list(unmet_demands(job.case, job.code, self._lint(seen), self._sandbox))

    def _lint(self, seen: _Seen) -> int | None:
        known = self._toolchain.has_clippy and seen.built and seen.first.is_complete
        return seen.first.said.lints.total() if known else None

    def _reported(self, job: _Job, seen: _Seen, unmet: list[str]) -> Outcome:
        """Put together the facts and the words of a finished check."""
        kind = _classified(job, seen, unmet)
        tests, module = seen.tests, job.module
        none_ran = 0 if seen.built else None
        facts = Facts(
            classification=kind,
            passed=kind is Classification.PASS,
            built=None if seen.first.ran_out_of_time else seen.built,
            tests_passed=tests.passed if tests else none_ran,
            tests_failed=len(tests.endings) - tests.passed if tests else none_ran,
            tests_ignored=sum(test.is_ignored for test in module.tests) if tests and module else none_ran,
            no_tests=_no_tests(job, seen),
            lint_warnings=self._lint(seen),
        )
        words = "\n".join(part for part in self._words(job, seen, unmet) if part).replace(job.nonce, "tests")
        peaks = [step.ran.peak_memory_bytes or 0 for step in (seen.alone, seen.graded, tests) if step]
        return Outcome(facts=facts, peak_memory_bytes=max(peaks) or None, detail=excerpt(words))

    def _words(self, job: _Job, seen: _Seen, unmet: list[str]) -> list[str]:
        """Return what is worth reading about a check, the worst first."""
        builds = [build for build in (seen.alone, seen.graded) if build]
        words = [*unmet, *(f"stopped: {build.ran.limit}" for build in builds if build.ran.limit)]
        words += [error for build in builds for error in build.said.errors[:5]]
        if seen.first.said.exports:
            words.append(f"reaches around the language by {', '.join(seen.first.said.exports)}")
        if seen.tests and job.module and not seen.tests.all_held:
            run = [test for test in job.module.tests if not test.is_ignored]
            pairs = zip(run, seen.tests.endings, strict=True)
            words += [f"{test.name}: {ending or 'did not end'}" for test, ending in pairs if ending != "held"]
            words += [f"stopped: {seen.tests.ran.limit}"] if seen.tests.ran.limit else []
            words.append(seen.tests.words())
        if not self._toolchain.has_clippy:
            words.append("clippy is not installed: the lint is unknown")
        return [*words, seen.first.said.summary()]


def _module(case: Case) -> GradedModule | None:
    """Return the graded tests of a case, or None when it has none."""
    asked = case.expectations
    if not asked.tests.strip():
        return None
    module = graded_module(
        asked.tests,
        asked_types=frozenset({*asked.types, *asked.functions}),
        own_equality=asked.settings.get("equality") == "own",
    )
    if all(test.is_ignored for test in module.tests):
        raise InputError("the case has graded tests, but none of them is a `#[test]` that is run")
    return module


def _reaches_around(case: Case, build: BuildResult) -> bool:
    """Whether an answer exports symbols; it could so replace parts of the C library under the tests."""
    return bool(build.said.exports) and case.expectations.settings.get("exports") != "allowed"


def _no_tests(job: _Job, seen: _Seen) -> NoTests | None:
    if job.module is None:
        return NoTests.NONE_DEFINED
    if seen.tests is not None:
        return NoTests.NONE_COLLECTED if seen.tests.none_found else None
    tried = seen.built and seen.graded is not None and seen.graded.library is None
    return NoTests.BUILD_FAILED if tried else None


def _classified(job: _Job, seen: _Seen, unmet: list[str]) -> Classification:
    """Say how a check ended: clock and death first, then the build, then the demands."""
    if seen.first.ran_out_of_time:
        return Classification.TIMEOUT
    if not job.case.expectations.should_build:
        return Classification.FAIL if seen.built else Classification.PASS
    if not seen.built:
        return Classification.BUILD_ERROR
    if _reaches_around(job.case, seen.first):
        return Classification.POLICY_VIOLATION
    return _judged(job, seen, unmet)


def _judged(job: _Job, seen: _Seen, unmet: list[str]) -> Classification:
    """Say how an answer that builds did."""
    asked = job.case.expectations
    held = job.module is None or (seen.tests is not None and seen.tests.all_held)
    failed = seen.tests is not None and not held
    if seen.tests and failed and asked.should_pass_tests:
        if seen.tests.ran_out_of_time:
            return Classification.TIMEOUT
        if seen.tests.died:
            return Classification.CRASH
    wanted = held if asked.should_pass_tests or job.module is None else failed
    return Classification.PASS if wanted and not unmet else Classification.FAIL
