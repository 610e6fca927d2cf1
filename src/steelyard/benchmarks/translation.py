"""Convert other harnesses' tests to recipes: tests in a separate file next to the answer.

An answer can fake an exit code, so our harness reports each assertion.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from steelyard.benchmarks.answers import fenced
from steelyard.model.benchmark import Protocol, Record
from steelyard.model.case import Case, Dependency, Expectations

STUBS = Path(__file__).parent / "stubs"
TIMEOUT_S = 60.0
GO_IMPORT = re.compile(r'import (?:\([^)]*\)|".*")')
GO_COMMENT = re.compile(r"(?m)^\s*//.*$|/\*(?s:.*?)\*/")
GO_PACKAGES = (
    *("bytes", "crypto/md5", "errors", "fmt", "math", "math/rand", "reflect", "regexp", "sort", "strconv"),
    *("strings", "testing", "time", "unicode", "github.com/stretchr/testify/assert"),
)
CRATE_VERSIONS = {"rand": "0.4", "regex": "1.5", "md5": "0.7"}  # required by HumanEval-X
CRATES = {"rand": "rand::", "regex": "Regex", "md5": "md5::"}  # text that shows that a crate is used
RUST_IMPORT = r"(?m)^[ \t]*(?:use|extern crate) NAME\b[^;]*;\n"
SHAPES = {
    "go": "a whole file of the package `answer`, with its imports",
    "cpp": "a whole source file with its includes, without `main`",
    "c": "a whole source file with its includes, without `main`",
    "rust": "a whole source file without `main`",
    "python": "the whole function",
}


class Translated(NamedTuple):
    """A record converted to a recipe: tests, support files and the reference answer."""

    language: str
    tests: str
    solution: str | None = None
    files: Mapping[str, str] = {}
    needs: tuple[str, ...] = ()
    crates: tuple[str, ...] = ()
    settings: Mapping[str, str] = {}
    shape: str = ""  # required form of the answer; empty: the language's default


Translators = Mapping[str, Callable[[Record], Translated]]  # keys: first part of a task's name


def protocol(name: str, *, passes: str, limits: str = "60 s for the run of the tests") -> Protocol:
    """Make the protocol of a benchmark converted to recipes."""
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
    """Convert records to cases by the translator of their prefix, such as `Go` in `Go/12`."""
    for record in records:
        name = record["task_id"]
        yield make_case(name, record, languages[name.partition("/")[0]](record))


def read_stub(name: str) -> str:
    """Read a small replacement for a third-party package."""
    return (STUBS / name).read_text(encoding="utf-8")


def make_case(name: str, record: Record, translated: Translated) -> Case:
    """Make the case of a translated record."""
    shape = translated.shape or SHAPES[translated.language]
    instruction = f"Complete this function. Answer with one code block that holds {shape}."
    return Case(
        id=name,
        suite=translated.language,
        prompt=f"{instruction}\n\n{fenced(record['prompt'], translated.language)}",
        language=translated.language,
        timeout_s=TIMEOUT_S,
        files=translated.files,
        tags=tuple(
            f"needs:{name}" for name in (*translated.needs, *(f"crate {name}" for name in translated.crates))
        ),
        dependencies=tuple(Dependency(name=name, version=CRATE_VERSIONS[name]) for name in translated.crates),
        expectations=Expectations(tests=translated.tests, settings=translated.settings),
        reference=None if translated.solution is None else fenced(translated.solution, translated.language),
    )


def make_go_modules() -> dict[str, str]:
    """Make module files for Go tests, with a small replacement for `testify`."""
    return {
        "go.mod": "module answer\n\ngo 1.19\n\nrequire github.com/stretchr/testify v1.0.0\n\n"
        "replace github.com/stretchr/testify => ./testify\n",
        "testify/go.mod": "module github.com/stretchr/testify\n",
        "testify/assert/assert.go": read_stub("assert.go"),
    }


def make_go_file(package: str, source: str) -> str:
    """Rewrite a Go file's imports to match its code, as the original harnesses do."""
    body = GO_IMPORT.sub("", re.sub(r"(?m)^package .*$", "", source))
    code = GO_COMMENT.sub("", body)  # comments may contain example calls
    imported = [path for path in GO_PACKAGES if re.search(rf"\b{path.rpartition('/')[2]}\.[A-Z]", code)]
    imports = "".join(f'    "{path}"\n' for path in imported)
    return f"package {package}\n\nimport (\n{imports})\n\n{body}"


def make_node_tests(names: str, body: str, *, module: str = "./answer.mjs", assertions: str) -> str:
    """Wrap the body of a script in a `node:test` test with node's assertions."""
    return "\n".join(
        [
            "import test from 'node:test';",
            assertions,
            f"import {{ {names} }} from '{module}';",
            f"test('holds', () => {{\n{body}\n}});\n",
        ]
    )


def make_cpp_tests(declarations: str, main: str) -> str:
    """Make a test of a program's `main`; redefine `assert` to report each check."""
    # Headers come first: they may include <assert.h> again. The macro is variadic because conditions may
    # contain commas.
    macros = "#include<assert.h>\n#undef assert\n#define assert(...) CHECK((__VA_ARGS__))\n"
    renamed = re.sub(r"int main\([^)]*\)", "static int run_all()", main)
    body = renamed.rstrip().removesuffix("}") + "return 0;\n}\n"
    return f'#include "graded.h"\n{declarations}{macros}{body}\nTEST(holds) {{ run_all(); }}\n'


def remove_unused_crates(imports: str, body: str) -> tuple[str, tuple[str, ...]]:
    """Remove unused imports of crates; also return the used crates."""
    used = {name for name, usage in CRATES.items() if usage in body}
    for name in CRATES.keys() - used:
        imports = re.sub(RUST_IMPORT.replace("NAME", name), "", imports)
    return imports, tuple(sorted(used))


def quote_stub_includes(code: str) -> str:
    """Include boost and openssl from the local stubs."""
    return re.sub(r"#include\s*<((?:boost|openssl)/.*?)>", r'#include "\1"', code)
