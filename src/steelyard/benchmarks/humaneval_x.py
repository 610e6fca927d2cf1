"""HumanEval-X: HumanEval in Go, Java, JavaScript, C++, Rust and Python, with references.

A record is a program: declaration, solution and tests in one file, judged by its exit code. Here answer and
tests are files of their own, as the recipes have it, and every assertion of the record counts.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator

from steelyard.benchmarks import translation
from steelyard.benchmarks.translation import Translated
from steelyard.model.benchmark import Benchmark, BenchmarkFile, ProtocolKind, Record
from steelyard.model.case import Case


def go(record: Record) -> Translated:
    """Return a task in Go; each file imports what it uses, as the benchmark's own harness sees to it."""
    return Translated(
        language="go",
        tests=translation.go_file("{package}", record["test"]),
        solution=translation.go_file("answer", record["prompt"] + record["canonical_solution"]),
        files=translation.go_modules(),
    )


def java(record: Record) -> Translated:
    """Return a task in Java; the class Main of its tests is called by a method of ours."""
    imports = "\n".join(re.findall(r"(?m)^import .*;", record["declaration"]))
    main = record["test"].replace("public class Main", "class Main")
    called = "class Tests {\nstatic void holds() throws Exception { Main.main(new String[0]); }\n}\n"
    return Translated(
        language="java",
        shape="the whole class `Solution`, with its imports",
        tests=f"{imports}\n{main}\n{called}",
        solution=record["prompt"] + record["canonical_solution"],
    )


def js(record: Record) -> Translated:
    """Return a task in JavaScript; its solution, which is no module and not strict, is wrapped in one."""
    names = sorted(set(re.findall(r"(?m)^(?:const|let|var|function) (\w+)", record["declaration"])))
    listed = ", ".join(names)
    ours = "import { ok } from 'node:assert';\nconst console = { assert: ok };"
    tests = translation.node_tests(listed, record["test"], assertions=ours)
    code = json.dumps(f"{record['prompt']}{record['canonical_solution']}\nreturn {{ {listed} }};")
    required = (
        "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n"
    )
    return Translated(
        language="javascript",
        shape=f"a whole ES module that exports {listed}",
        tests=tests,
        solution=f"{required}export const {{ {listed} }} = new Function('require', {code})(require);\n",
        files={"node_modules/js-md5/index.js": translation.stand_in("md5.js")},
    )


def _cpp_head(record: Record) -> str:
    """Return all that stands before the body; the declaration of CPP/38 holds half of the solution too."""
    declared: str = record["declaration"]
    is_head = declared.count("{") == declared.count("}") + 1
    return declared if is_head else re.sub(r"(?s)/\*.*?\*/", "", record["prompt"])


def cpp(record: Record) -> Translated:
    """Return a task in C++; its tests declare the function that the answer defines."""
    head = translation.quoted_stand_ins(_cpp_head(record))
    tests = translation.quoted_stand_ins(record["test"])
    includes, main, rest = tests.partition("int main()")
    return Translated(
        language="cpp",
        tests=translation.cpp_tests(f"{head.rstrip().removesuffix('{')};\n{includes}", main + rest),
        solution=head + record["canonical_solution"],
        files={
            "boost/any.hpp": translation.stand_in("any.hpp"),
            "openssl/md5.h": translation.stand_in("md5.h"),
        },
    )


def rust(record: Record) -> Translated:
    """Return a task in Rust; every prompt imports three crates, and hardly a solution uses one of them."""
    rest = record["canonical_solution"] + record["test"]
    head, crates = translation.rust_without_unused_crates(record["declaration"], rest)
    return Translated(
        language="rust", tests=record["test"], solution=head + record["canonical_solution"], crates=crates
    )


def python(record: Record) -> Translated:
    """Return a task in Python; the last line of its tests calls `check`."""
    return Translated(
        language="python",
        tests=record["test"],
        solution=record["prompt"] + record["canonical_solution"],
    )


LANGUAGES: dict[str, Callable[[Record], Translated]] = {
    "Go": go,
    "Java": java,
    "JavaScript": js,
    "CPP": cpp,
    "Rust": rust,
    "Python": python,
}


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Turn records into cases, by the same rule in both protocols."""
    del protocol
    return translation.cases_by_language(records, LANGUAGES)


BENCHMARK = Benchmark(
    name="humaneval-x",
    version="2023-03",
    tasks=984,
    languages=("cpp", "go", "java", "javascript", "python", "rust"),
    licence="Apache-2.0",
    address="https://raw.githubusercontent.com/THUDM/CodeGeeX/{revision}/codegeex/benchmark/humaneval-x",
    revision="2838420b7b4492cf3d16bce5320e26e65960c9e2",
    files=tuple(
        BenchmarkFile(path=f"{part}/data/humaneval_{part}.jsonl.gz", sha256=digest, part=part)
        for part, digest in {
            "cpp": "dcf2e280a1e91bbc3c5f90edb41397e8a9ac1ccc9f5d2b70082f0b0fbfb6dbb0",
            "go": "09126ef64ac68f87296c5f3781186aedc5dec799b114d9df99d6de4a715a7830",
            "java": "276f36db2eb7aeb864f36a19a2f4e1bb2460fb6e22ff100f0b5bedabe3799967",
            "js": "fe5d467f2c1a027b3f6f18d3729aca01f6458c1de2e2d1292a019c5aa9bed424",
            "python": "5752fb122efddb0e9b47c77907ae6ce9a15aac4dea14e44c46032c831e6b987a",
            "rust": "ae5cabbbfc8fe25244a608b04f09ac3b324c645ac969dfc033756c12f0f9924c",
        }.items()
    ),
    protocol=translation.protocol("HumanEval-X", passes="the program runs to its end with exit code 0"),
    cases=cases,
    needs="g++, go, a JDK, node, cargo: those of the parts that are run",
    failing_references={
        "JavaScript/112": "breaks its own assertion under plain node too",
        "JavaScript/155": "breaks its own assertion under plain node too",
    },
)
