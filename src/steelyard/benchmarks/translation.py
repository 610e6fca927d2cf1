"""Put tests of other harnesses into the form of our recipes: tests in a file beside the answer.

An exit code can be faked; here every assertion is reported by a harness of ours.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from steelyard.benchmarks.answers import fenced
from steelyard.model.benchmark import Protocol, Record
from steelyard.model.case import Case, Dependency, Expectations

STAND_INS = Path(__file__).parent / "stand_ins"
TIMEOUT_S = 60.0
GO_IMPORT = re.compile(r'import (?:\([^)]*\)|".*")')
GO_COMMENT = re.compile(r"(?m)^\s*//.*$|/\*(?s:.*?)\*/")
GO_PACKAGES = (
    *("bytes", "crypto/md5", "errors", "fmt", "math", "math/rand", "reflect", "regexp", "sort", "strconv"),
    *("strings", "testing", "time", "unicode", "github.com/stretchr/testify/assert"),
)
CRATE_VERSIONS = {"rand": "0.4", "regex": "1.5", "md5": "0.7"}  # what HumanEval-X asks for
CRATES = {"rand": "rand::", "regex": "Regex", "md5": "md5::"}  # how a solution, or its tests, use each crate
RUST_IMPORT = r"(?m)^[ \t]*(?:use|extern crate) NAME\b[^;]*;\n"
SHAPES = {
    "go": "a whole file of the package `answer`, with its imports",
    "cpp": "a whole source file with its includes, without `main`",
    "c": "a whole source file with its includes, without `main`",
    "rust": "a whole source file without `main`",
    "python": "the whole function",
}


class Translated(NamedTuple):
    """A record in the form of a recipe: tests, files beside them, and the whole answer."""

    language: str
    tests: str
    solution: str | None = None
    files: Mapping[str, str] = {}
    needs: tuple[str, ...] = ()
    crates: tuple[str, ...] = ()
    settings: Mapping[str, str] = {}
    shape: str = ""  # what the answer must be; empty: as usual for the language


Translators = Mapping[str, Callable[[Record], Translated]]  # by the first part of a task's name


def protocol(name: str, *, passes: str, limits: str = "60 s for the run of the tests") -> Protocol:
    """Return the protocol of a benchmark whose programs become tests of a recipe."""
    return Protocol(
        name=name,
        prompt="one sentence of ours, which asks for a whole file, then the prompt of the record",
        extraction="Steelyard's own: the code block of the language",
        tests="the record's own, in a file beside the answer, called by a harness of ours",
        limits=limits,
        comparison="the assertions of the tests",
        passes=f"{passes}; here, every assertion holds",
    )


def cases_by_language(records: Iterable[Record], languages: Translators) -> Iterator[Case]:
    """Turn records into cases, each by the translator that its name begins with, such as `Go/12`."""
    for record in records:
        name = record["task_id"]
        yield case_of(name, record, languages[name.partition("/")[0]](record))


def stand_in(name: str) -> str:
    """Return a small package of ours that stands in for a larger one."""
    return (STAND_INS / name).read_text(encoding="utf-8")


def case_of(name: str, record: Record, made: Translated) -> Case:
    """Return the case of a translated record."""
    shape = made.shape or SHAPES[made.language]
    asked = f"Complete this function. Answer with one code block that holds {shape}."
    return Case(
        id=name,
        suite=made.language,
        prompt=f"{asked}\n\n{fenced(record['prompt'], made.language)}",
        language=made.language,
        timeout_s=TIMEOUT_S,
        files=made.files,
        tags=tuple(f"needs:{one}" for one in (*made.needs, *(f"crate {name}" for name in made.crates))),
        dependencies=tuple(Dependency(name=name, version=CRATE_VERSIONS[name]) for name in made.crates),
        expectations=Expectations(tests=made.tests, settings=made.settings),
        reference=None if made.solution is None else fenced(made.solution, made.language),
    )


def go_modules() -> dict[str, str]:
    """Return the files by which tests in Go find a small `testify` of ours."""
    return {
        "go.mod": "module answer\n\ngo 1.19\n\nrequire github.com/stretchr/testify v1.0.0\n\n"
        "replace github.com/stretchr/testify => ./testify\n",
        "testify/go.mod": "module github.com/stretchr/testify\n",
        "testify/assert/assert.go": stand_in("assert.go"),
    }


def go_file(package: str, source: str) -> str:
    """Return a file that imports what it uses, as the harnesses see to it."""
    bare = GO_IMPORT.sub("", re.sub(r"(?m)^package .*$", "", source))
    code = GO_COMMENT.sub("", bare)  # which may show how a function is used
    used = [path for path in GO_PACKAGES if re.search(rf"\b{path.rpartition('/')[2]}\.[A-Z]", code)]
    imports = "".join(f'    "{path}"\n' for path in used)
    return f"package {package}\n\nimport (\n{imports})\n\n{bare}"


def node_tests(names: str, body: str, *, module: str = "./answer.mjs", assertions: str) -> str:
    """Return a test of `node:test` that runs the body of a script; its assertions are those of node."""
    return "\n".join(
        [
            "import test from 'node:test';",
            assertions,
            f"import {{ {names} }} from '{module}';",
            f"test('holds', () => {{\n{body}\n}});\n",
        ]
    )


def cpp_tests(declared: str, main: str) -> str:
    """Return a test that runs the `main` of a program; its assertions are ours."""
    # Headers come before `assert` is ours: they may include another one. With commas in it, a condition
    # would be several arguments.
    ours = "#include<assert.h>\n#undef assert\n#define assert(...) CHECK((__VA_ARGS__))\n"
    run = re.sub(r"int main\([^)]*\)", "static int run_all()", main)
    ended = run.rstrip().removesuffix("}") + "return 0;\n}\n"
    return f'#include "graded.h"\n{declared}{ours}{ended}\nTEST(holds) {{ run_all(); }}\n'


def rust_without_unused_crates(head: str, rest: str) -> tuple[str, tuple[str, ...]]:
    """Return code without imports of crates that the rest does not use, and the crates that it does."""
    used = {name for name, mark in CRATES.items() if mark in rest}
    for name in CRATES.keys() - used:
        head = re.sub(RUST_IMPORT.replace("NAME", name), "", head)
    return head, tuple(sorted(used))


def quoted_stand_ins(code: str) -> str:
    """Return C++ code that includes the stand-ins, which lie beside it."""
    return re.sub(r"#include\s*<((?:boost|openssl)/.*?)>", r'#include "\1"', code)
