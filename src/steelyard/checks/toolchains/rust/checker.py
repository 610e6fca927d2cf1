"""Check Rust answers: whether they build, whether the graded tests hold, what clippy says.

Only the tests of the case count. What they see of the answer, and what it can do to them, is described in
docs/how-to/check-rust.md.
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
from steelyard.checks.toolchains.rust.sources import builds_at_one_go, sources_of
from steelyard.checks.toolchains.rust.toolchain import HelperShelf, Toolchain, find_toolchain
from steelyard.errors import InputError, SandboxError
from steelyard.model.case import Case
from steelyard.model.execution import GIB, Limits
from steelyard.model.outcome import Classification, Facts, NoTests, Outcome
from steelyard.ports import Sandbox

BUILD_S = 60.0  # a build may take this long at least: a case's limit is meant for what the answer does


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """What one check has to do."""

    case: Case
    rules: GradingRules
    modules: tuple[GradedModule, ...]  # none when the case has no tests; several, each a crate, in crate mode
    sources: Mapping[str, bytes]
    built: Built  # the libraries that the answer may use
    nonce: str
    wall_s: float  # for a build

    @property
    def tests(self) -> list[GradedTest]:
        """All graded tests, in order."""
        return [test for module in self.modules for test in module.tests]

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
        build_result = self.alone or self.graded
        if build_result is None:
            raise AssertionError("every check builds something")
        return build_result

    @property
    def built(self) -> bool:
        return self.first.ran.succeeded or (self.first.ran.limit is None and self.first.said.only_lints_fail)


class RustChecker:
    """Checks Rust answers in a sandbox; safe to call from many threads.

    `vendor` is a folder made by `cargo vendor`; without it, the one that STEELYARD_CARGO_VENDOR names.
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
        """Return what a check of the model's raw answer saw."""
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
        if not extracted.found:
            facts = Facts(classification=Classification.WRONG_FORMAT, passed=False)
            return Outcome(facts=facts, detail="there is no Rust code in the answer")
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
        seen = self._seen(job)
        return self._reported(job, seen, self._unmet(job, seen))

    def _seen(self, job: _Job) -> _Seen:
        """Take the steps of a check, as far as each one leads to the next."""
        if not job.modules:
            return _Seen(alone=self._builder.library(job.sources, job.built, wall_s=job.wall_s))
        if job.rules.crate is not None:
            return self._seen_by_crates(job, job.rules.crate)
        (module,) = job.modules
        at_one_go = self._graded(job, module, linted=True) if builds_at_one_go(job.sources) else None
        if at_one_go and (at_one_go.library is not None or at_one_go.ran_out_of_time):
            return self._tested(job, module, _Seen(graded=at_one_go))
        seen = _Seen(alone=self._builder.library(job.sources, job.built, wall_s=job.wall_s))
        if not seen.built:
            return seen
        # What the compiler has refused already, it would refuse again.
        refused = at_one_go if at_one_go and at_one_go.ran.exit_code == 1 else None
        graded = refused or self._graded(job, module, linted=False)
        return self._tested(job, module, replace(seen, graded=graded))

    def _seen_by_crates(self, job: _Job, crate: str) -> _Seen:
        """Build the answer alone, then each crate of tests against it, and run that."""
        alone = self._builder.library(job.sources, job.built, wall_s=job.wall_s, linkable=True)
        seen = _Seen(alone=alone)
        runs: list[RustTestRun] = []
        remaining = [len(module.symbols(job.nonce)) for module in job.modules]
        for module in job.modules if alone.linkable else ():
            grading = self._grading(job, module)
            files = {name: text.encode() for name, text in job.case.files.items()}
            graded = self._builder.against(
                alone.linkable or b"", crate, files, job.built, grading, wall_s=job.wall_s
            )
            seen = self._tested(job, module, _Seen(alone=alone, graded=graded))
            if seen.tests is None:
                return seen  # it does not build with its tests, or is not to be run
            runs.append(seen.tests)
            if seen.tests.ran_out_of_time:
                break
        return replace(seen, tests=joined(runs, sum(remaining[len(runs) :]))) if runs else seen

    def _grading(self, job: _Job, module: GradedModule) -> Grading:
        grader = self._shelf.helpers().grader
        return Grading(nonce=job.nonce, module=module.named(job.nonce), grader=grader)

    def _graded(self, job: _Job, module: GradedModule, *, linted: bool) -> BuildResult:
        """Build an answer together with its tests."""
        grading = self._grading(job, module)
        return self._builder.graded(job.sources, job.built, grading, wall_s=job.wall_s, linted=linted)

    def _tested(self, job: _Job, module: GradedModule, seen: _Seen) -> _Seen:
        """Run the tests of an answer, if it has been built with them."""
        library = seen.graded.library if seen.graded else None
        if library is None or _reaches_around(job.case, seen.first):
            return seen
        symbols = module.symbols(job.nonce)
        limits = Limits(
            wall_s=job.case.timeout_s,
            cpu_s=job.case.timeout_s,
            memory_bytes=memory_bytes(job.case, default=GIB),
        )
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
        tests = seen.tests
        none_ran = 0 if seen.built else None
        facts = Facts(
            classification=kind,
            passed=kind is Classification.PASS,
            built=None if seen.first.ran_out_of_time else seen.built,
            tests_passed=tests.passed if tests else none_ran,
            tests_failed=len(tests.endings) - tests.passed if tests else none_ran,
            tests_ignored=sum(test.is_ignored for test in job.tests) if tests else none_ran,
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
        if seen.tests and not seen.tests.all_held:
            run = [test for test in job.tests if not test.is_ignored]
            pairs = zip(run, seen.tests.endings, strict=True)
            words += [f"{test.name}: {ending or 'did not end'}" for test, ending in pairs if ending != "held"]
            words += [f"stopped: {seen.tests.ran.limit}"] if seen.tests.ran.limit else []
            words.append(seen.tests.words())
        if not self._toolchain.has_clippy:
            words.append("clippy is not installed: the lint is unknown")
        return [*words, seen.first.said.summary()]


def _modules(case: Case, rules: GradingRules) -> tuple[GradedModule, ...]:
    """Return the graded tests of a case; none when it has none."""
    if not case.expectations.tests.strip():
        return ()
    modules = graded_modules(case.expectations.tests, rules)
    if all(test.is_ignored for module in modules for test in module.tests):
        raise InputError(
            "the case has graded tests, but none of them is run: there is no `#[test]` and no `fn main`"
        )
    return tuple(module for module in modules if not all(test.is_ignored for test in module.tests))


def _reaches_around(case: Case, build: BuildResult) -> bool:
    """Whether an answer does what its case forbids.

    By exported symbols it could replace parts of the C library under the tests; by unsafe code it could write
    to any memory of theirs.
    """
    settings = case.expectations.settings
    exports = bool(build.said.exports) and settings.get("exports") != "allowed"
    return exports or (build.said.uses_unsafe and settings.get("unsafe") == "forbidden")


def _no_tests(job: _Job, seen: _Seen) -> NoTests | None:
    if not job.modules:
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
    expectations = job.case.expectations
    contents = not job.modules or (seen.tests is not None and seen.tests.all_held)
    failed = seen.tests is not None and not contents
    if seen.tests and failed and expectations.should_pass_tests:
        if seen.tests.ran_out_of_time:
            return Classification.TIMEOUT
        if seen.tests.died:
            return Classification.CRASH
    requested = contents if expectations.should_pass_tests or not job.modules else failed
    return Classification.PASS if requested and not unmet else Classification.FAIL
