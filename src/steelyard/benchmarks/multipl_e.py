"""MultiPL-E: HumanEval machine-translated to the languages that have a recipe; no references.

Upstream grades a program by its exit code, which an answer can fake. Here a recipe runs the tests and reports
each assertion. The data predate version 3, which changed prompts.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from steelyard.benchmarks import translation
from steelyard.benchmarks.translation import Translated
from steelyard.model.benchmark import FILE_KEY, Benchmark, BenchmarkFile, ProtocolKind, Record
from steelyard.model.case import Case

TUPLES = re.compile(r"\b(?:Unit|Pair|Triplet|Quartet|Quintet)\b")  # of org.javatuples
NO_TUPLES = "import org.javatuples.*;\n"


def cpp(record: Record) -> Translated:
    """Translate a C++ task; its tests declare the answer's function."""
    declared = record["prompt"].rstrip().removesuffix("{") + ";\n"
    main = record["tests"].strip().removeprefix("}")
    return Translated(language="cpp", tests=translation.make_cpp_tests(declared, main))


def go(record: Record) -> Translated:
    """Translate a Go task."""
    tests = translation.make_go_file("{package}", record["tests"])
    return Translated(language="go", tests=tests, files={"go.mod": "module answer\n\ngo 1.19\n"})


def java(record: Record) -> Translated:
    """Translate a Java task; its assertions call the answer's class."""
    (name,) = re.findall(r"(\w+)\([^()]*\) \{\s*\Z", record["prompt"]) or [""]
    imports = "\n".join(re.findall(r"(?m)^import .*;", record["prompt"].replace(NO_TUPLES, "")))
    body = record["tests"].partition("{")[2].rstrip().removesuffix("}").rstrip().removesuffix("}")
    qualified = re.sub(rf"(?<![\w.]){name}\(", f"Problem.{name}(", body)
    assertions = re.sub(r"(?m)^\s*assert\((.*)\);$", r"if (!(\1)) throw new AssertionError();", qualified)
    has_tuples = bool(TUPLES.search(record["prompt"] + body))
    return Translated(
        language="java",
        shape="the whole class `Problem`, with its imports",
        tests=f"{imports}\nclass Tests {{\nstatic void holds() throws Exception {{\n{assertions}\n}}\n}}\n",
        needs=("org.javatuples",) if has_tuples else (),
    )


def js(record: Record) -> Translated:
    """Translate a JavaScript task."""
    return _translate_for_node(record, "javascript", "./answer.mjs")


def ts(record: Record) -> Translated:
    """Translate a TypeScript task."""
    return _translate_for_node(record, "typescript", "./answer.js")


def _translate_for_node(record: Record, language: str, module: str) -> Translated:
    name = re.findall(r"(?m)^function (\w+)", record["prompt"])[-1]
    body = re.sub(r"(?m)^(?:declare var require: any;|const assert = require.*)$", "", record["tests"])
    imports = "import assert from 'node:assert';"
    return Translated(
        language=language,
        shape=f"a whole ES module that exports {name}",
        tests=translation.make_node_tests(name, body, module=module, assertions=imports),
    )


def rs(record: Record) -> Translated:
    """Translate a Rust task."""
    body = record["tests"].strip().removeprefix("}").strip().replace("fn main()", "#[test]\nfn holds()")
    tests = f"#[cfg(test)]\nmod tests {{\nuse super::*;\n{body}\n}}\n"
    return Translated(language="rust", tests=tests)


LANGUAGES: dict[str, Callable[[Record], Translated]] = {
    "cpp": cpp,
    "go": go,
    "java": java,
    "js": js,
    "rs": rs,
    "ts": ts,
}


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases, identical in both protocols."""
    del protocol
    for record in records:
        part = record[FILE_KEY].removeprefix("humaneval-").partition(".")[0]
        yield translation.make_case(f"{part}/{record['name']}", record, LANGUAGES[part](record))


BENCHMARK = Benchmark(
    name="multipl-e",
    version="2023 (before v3)",
    tasks=949,
    languages=("cpp", "go", "java", "javascript", "rust", "typescript"),
    licence="BSD-3-Clause, with a clause against training",
    address="https://raw.githubusercontent.com/deepseek-ai/DeepSeek-Coder/{revision}/Evaluation/HumanEval/data",
    revision="2f9fd85927c669dae3c0fbb2d607274023af243e",
    files=tuple(
        BenchmarkFile(path=f"humaneval-{part}.jsonl", sha256=digest, part=part)
        for part, digest in {
            "cpp": "8717eabdf202137158c84506144b0fb1e73d5ecccbe5363ec79009ca014df629",
            "go": "7f5dfe3ff001049b1221e9d21a8119b5cbc38eb87c97fefc5d57fa7adc1df888",
            "java": "b21b015763452ec4f9f4e0e6425148ec331ace4da1232c8b4d441186185f6265",
            "js": "634e2eee8d6e22de07c121b972207683dd96be76256bf44bdfc1a3386b739287",
            "rs": "e33f562838e973b7e6b8d76dbc1fb84b076d7426629b4cdc624f12678778d2fa",
            "ts": "4b1af1050c9f226335d54a8c80553c39454a525cace3e67bdcfcc9092ba02637",
        }.items()
    ),
    protocol=translation.protocol(
        "MultiPL-E",
        passes="the program ends with exit code 0",
        limits="60 s for the run of the tests (upstream 5 to 30 s)",
    ),
    cases=cases,
    needs="g++, go, a JDK, node, tsc, cargo: those of the parts that are run",
)
