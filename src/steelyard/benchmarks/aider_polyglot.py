"""Aider polyglot: Exercism exercises in Go, Python and Rust.

Each case has two tries; the second prompt contains the first try's test failures. Exercises in C++, Java and
JavaScript are excluded: no recipe supports their test frameworks.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from steelyard.benchmarks.answers import fenced
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Dependency, Expectations

TIMEOUT_S = 180.0  # Aider's limit
LIMITS_S = {"rust/alphametics": 1800.0}  # the solution tries all permutations of ten digits
OTHER_RELEASES = {("regex", "0.2"): "1.5"}  # builds with current Rust; the solution works with it
EXERCISE = re.compile(r"(?:.*/)?(\w+)/exercises/practice/([^/]+)/(.+)")
DOCS = ("introduction", "instructions", "instructions.append")
Files = Mapping[str, str]


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert the archive's files to cases, one per exercise."""
    del protocol
    exercises: dict[tuple[str, str], dict[str, str]] = {}
    for record in records:
        exercise = EXERCISE.fullmatch(record["path"])
        if exercise and exercise[1] in LANGUAGES:
            exercises.setdefault((exercise[1], exercise[2]), {})[exercise[3]] = record["text"]
    for (language, name), files in sorted(exercises.items()):
        roles = json.loads(files[".meta/config.json"])["files"]
        fields = LANGUAGES[language](files, roles)
        yield Case(
            id=f"{language}/{name}",
            suite=language,
            prompt=_make_prompt(files, roles, language),
            language=language,
            timeout_s=LIMITS_S.get(f"{language}/{name}", TIMEOUT_S),
            reference=fenced(files[roles["example"][0]], language),
            **fields,
        )


def _make_prompt(files: Files, roles: Mapping[str, list[str]], language: str) -> str:
    texts = [files[path] for name in DOCS if (path := f".docs/{name}.md") in files]
    stub = roles["solution"][0]
    instruction = (
        f"Write the file `{stub}`, keeping the names that it begins with. Answer with one code block."
    )
    return "\n\n".join([*texts, instruction, fenced(files.get(stub, ""), language)])


def _python_fields(files: Files, roles: Mapping[str, list[str]]) -> dict[str, Any]:
    module = roles["solution"][0].removesuffix(".py")
    tests, *support = roles["test"]  # the first file imports the others
    return {
        "expectations": Expectations(tests=files[tests], settings={"module": module}),
        "files": {path: files[path] for path in (*support, *roles.get("editor", [])) if path in files},
    }


def _go_fields(files: Files, roles: Mapping[str, list[str]]) -> dict[str, Any]:
    tests = re.sub(r"(?m)^package \w+", "package {package}", files[roles["test"][0]], count=1)
    sources = [path for path in files if path.endswith(".go") and "/" not in path]
    support = set(sources) - set(roles["solution"]) - {roles["test"][0]}
    return {
        "expectations": Expectations(tests=tests),
        "files": {"go.mod": "module answer\n\ngo 1.19\n", **{path: files[path] for path in sorted(support)}},
    }


def _rust_fields(files: Files, roles: Mapping[str, list[str]]) -> dict[str, Any]:
    del roles
    manifests = [tomllib.loads(files.get(path, "")) for path in ("Cargo.toml", ".meta/Cargo-example.toml")]
    # Cargo compiles each file at the top of `tests` as a separate crate.
    tests = {path: text for path, text in files.items() if re.fullmatch(r"tests/[^/]+\.rs", path)}
    crates = {
        name: version for manifest in manifests for name, version in manifest.get("dependencies", {}).items()
    }
    return {
        "expectations": Expectations(
            tests="\n".join(f"// file: {path}\n{text}" for path, text in sorted(tests.items())),
            settings={"crate": manifests[0]["package"]["name"].replace("-", "_"), "ignored": "run"},
        ),
        "files": {path: text for path, text in files.items() if re.fullmatch(r"src/(?!lib\.rs).+\.rs", path)},
        "tags": tuple(f"needs:crate {name}" for name in sorted(crates)),
        "dependencies": tuple(
            Dependency(name=name, version=OTHER_RELEASES.get((name, version), version))
            for name, version in crates.items()
        ),
    }


LANGUAGES: dict[str, Callable[[Files, Mapping[str, list[str]]], dict[str, Any]]] = {
    "go": _go_fields,
    "python": _python_fields,
    "rust": _rust_fields,
}
BENCHMARK = Benchmark(
    name="aider-polyglot",
    version="2024-12",
    tasks=225,
    languages=("go", "python", "rust"),
    licence="MIT (Exercism)",
    address="https://github.com/Aider-AI/polyglot-benchmark/archive",
    revision="7e0611e77b54e2dea774cdc0aa00cf9f7ed6144f",
    files=(
        BenchmarkFile(
            path="7e0611e77b54e2dea774cdc0aa00cf9f7ed6144f.tar.gz",
            kept_as="aider-polyglot.tar.gz",
            members="*/exercises/practice/*",
            sha256="f07232134496af5db39fdb86fc0ad3f20e59b2bab8fcf564c836ce9a24649554",
        ),
    ),
    protocol=Protocol(
        name="Aider polyglot",
        prompt=(
            "the texts of the exercise, a sentence of ours, and the file to be filled; after a failure also "
            "that answer and an excerpt of its tests' output"
        ),
        extraction="Steelyard's own: the code block of the language, as a whole file",
        tests="the exercise's own, ignored ones too",
        limits="180 s for the run of the tests",
        comparison="the assertions of the tests",
        passes="all tests pass; pass@1 is Aider's `pass_rate_1`, pass@2 its `pass_rate_2`",
    ),
    cases=cases,
    tries=2,
    failing_references={
        "go/counter": "its file of tests holds none, so that nothing can pass",
        "go/dnd-character": "its solution needs Go 1.21 or later",
        "go/bottle-song": "the solution calls a function of its tests, and an answer is built without them",
        "rust/macros": "its tests start cargo themselves, which is not at hand where they run",
    },
    needs="go, cargo; 103 of 225 tasks: those in Go, Python and Rust",
)
