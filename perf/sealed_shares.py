"""Print which shares of real tests' assertions can be sealed, by form of assertion.

Each row adds a form: % of assertions, and % of tests in which every assertion is sealed. Constants count
with the form that reads them. STEELYARD_BENCHMARKS names the folder of the public benchmarks, --natural a
folder of cases, each with a `test_solution.py`.
Run: STEELYARD_BENCHMARKS=… python -m perf.sealed_shares [--natural FOLDER] [--open]
"""

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from perf.references import benchmarks_folder, cases_of, reference_code
from steelyard.checks.toolchains.python.sealing import Assertion, SealedTests, seal

GOALS = {"natural": 75.0, "ClassEval": 92.0, "HumanEval": 96.0, "BigCodeBench": 70.0}
# The first pattern that a check has is its form.
FORMS = {
    "class and message of an expected exception": r"^raised\(",
    "`isinstance` of a built-in type": r"is_any_of\(",
    "mock calls with literal arguments": r"\bmock\.|^len\(actual\)",
    "regular expressions, prefixes and suffixes": r"pattern\(|\b(starts|ends)with\(",
    "tolerance": r"\babs\(|isclose|almost_equal|approx",
    "parametrize rows and tables": r"\bcell\b",
    "literal constructors": r"\b(decimal|fractions|datetime|collections|pathlib|uuid)\.",
    "membership in or of a literal": r"\bin\b(?=.*actual)|actual (not )?in",
    "truth value, `is None`, `is True`": r"^(not )?\(?actual\)?( is .*)?$",
    "ordering against a literal": r"[<>]",
    "equality with a literal": "",
}
SAMPLE = 100  # tasks of BigCodeBench that need only the standard library


def natural(folder: Path) -> Iterator[str]:
    """Yield the test files of a folder of cases."""
    for path in sorted(folder.glob("*/test_solution.py")):
        yield path.read_text(encoding="utf-8")


def benchmark(name: str) -> Iterator[str]:
    """Yield the tests of a benchmark's cases."""
    for case in cases_of(name, benchmarks_folder()):
        yield case.expectations.tests


def standard_library_sample() -> Iterator[str]:
    """Yield the tests of BigCodeBench's first tasks without packages."""
    standard = sys.stdlib_module_names
    tests = (
        case.expectations.tests
        for case in cases_of("bigcodebench", benchmarks_folder())
        if imported(case.expectations.tests) | imported(reference_code(case)) <= standard
    )
    yield from (text for text, _ in zip(tests, range(SAMPLE), strict=False))


def imported(source: str) -> set[str]:
    """Return the top-level modules that a source imports."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def shares(sources: Iterator[str]) -> Mapping[str, tuple[float, float]]:
    """Return the shares of assertions and of tests that are sealed, cumulated over the forms."""
    sealed = [seal(source) for source in sources]
    assertions = [assertion for item in sealed for assertion in item.assertions]
    tests = [group for item in sealed for group in tests_of(item)]
    forms: set[str] = set()
    rows = {}
    for form in reversed(FORMS):
        forms.add(form)
        of_assertions = sum(is_sealed_by(assertion, forms) for assertion in assertions) / len(assertions)
        of_tests = sum(all(is_sealed_by(item, forms) for item in group) for group in tests) / len(tests)
        rows[form] = (100 * of_assertions, 100 * of_tests)
    cases = [item for item in sealed if item.assertions]
    full = sum(all(item.is_sealed for item in case.assertions) for case in cases) / len(cases)
    some = sum(any(item.is_sealed for item in case.assertions) for case in cases) / len(cases)
    rows["cases: all assertions sealed / any sealed"] = (100 * full, 100 * some)
    telling = sum(
        any(item.is_sealed and not item.can_be_guessed for item in case.assertions) for case in cases
    )
    rows["cases with a sealed assertion that cannot be guessed"] = (100 * telling / len(cases), float("nan"))
    rows["number of assertions / tests"] = (len(assertions), len(tests))
    return rows


def tests_of(sealed: SealedTests) -> list[list[Assertion]]:
    """Return the assertions of each function that has any."""
    groups: dict[str, list[Assertion]] = defaultdict(list)
    for assertion in sealed.assertions:
        groups[assertion.test].append(assertion)
    return list(groups.values())


def is_sealed_by(assertion: Assertion, forms: set[str]) -> bool:
    """Whether an assertion is sealed with these forms only."""
    if assertion.check is None:
        return False
    check = assertion.check.expression
    return next(form for form, pattern in FORMS.items() if re.search(pattern, check)) in forms


def reasons(sources: Iterator[str]) -> Counter[str]:
    """Count why assertions stay open."""
    return Counter(
        item.why_open for source in sources for item in seal(source).assertions if not item.is_sealed
    )


def main() -> int:
    """Print the table, and with --open why assertions are not sealed; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--natural", type=Path, help="a folder of cases")
    parser.add_argument("--open", action="store_true", help="count the reasons of open assertions")
    options = parser.parse_args()
    sources = {
        **({"natural": lambda: natural(options.natural)} if options.natural else {}),
        "ClassEval": lambda: benchmark("classeval"),
        "HumanEval": lambda: benchmark("humaneval"),
        "BigCodeBench": standard_library_sample,
    }
    tables = {name: shares(source()) for name, source in sources.items()}
    print("|", " | ".join(["assertions / tests, %", *tables]), "|")
    print("|---|" + "---|" * len(tables))
    for row in next(iter(tables.values())):
        print(
            "|",
            " | ".join(
                [row, *(" / ".join(f"{share:.0f}" for share in table[row]) for table in tables.values())]
            ),
            "|",
        )
    for name, source in sources.items():
        if options.open:
            print(name, dict(reasons(source()).most_common()))
    last = next(iter(FORMS))
    missed = [name for name, table in tables.items() if table[last][1] < GOALS[name]]
    print("goals of fully sealed tests missed:", ", ".join(missed) or "none")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
