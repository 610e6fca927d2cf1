"""HumanEval-X: HumanEval in Go, Java, JavaScript, C++, Rust and Python, with references.

Upstream, a record is one program (declaration, solution, tests) graded by exit code. Here answer and tests
are separate files, and a harness reports each assertion.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator

from steelyard.benchmarks import translation
from steelyard.benchmarks.translation import Translated
from steelyard.model.benchmark import Benchmark, BenchmarkFile, ProtocolKind, Record
from steelyard.model.case import Case


def go(record: Record) -> Translated:
    """Translate a Go task, with imports added as the benchmark's harness does."""
    return Translated(
        language="go",
        tests=translation.make_go_file("{package}", record["test"]),
        solution=translation.make_go_file("answer", record["prompt"] + record["canonical_solution"]),
        files=translation.make_go_modules(),
    )


def java(record: Record) -> Translated:
    """Translate a Java task; a test method calls the tests' class Main."""
    imports = "\n".join(re.findall(r"(?m)^import .*;", record["declaration"]))
    main = record["test"].replace("public class Main", "class Main")
    entry = "class Tests {\nstatic void holds() throws Exception { Main.main(new String[0]); }\n}\n"
    return Translated(
        language="java",
        shape="the whole class `Solution`, with its imports",
        tests=f"{imports}\n{main}\n{entry}",
        solution=record["prompt"] + record["canonical_solution"],
    )


def js(record: Record) -> Translated:
    """Translate a JavaScript task; wrap its sloppy-mode script in an ES module."""
    names = sorted(set(re.findall(r"(?m)^(?:const|let|var|function) (\w+)", record["declaration"])))
    exports = ", ".join(names)
    console = "import { ok } from 'node:assert';\nconst console = { assert: ok };"
    tests = translation.make_node_tests(exports, record["test"], assertions=console)
    code = json.dumps(f"{record['prompt']}{record['canonical_solution']}\nreturn {{ {exports} }};")
    define_require = (
        "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n"
    )
    return Translated(
        language="javascript",
        shape=f"a whole ES module that exports {exports}",
        tests=tests,
        solution=f"{define_require}"
        f"export const {{ {exports} }} = new Function('require', {code})(require);\n",
        files={"node_modules/js-md5/index.js": translation.read_stub("md5.js")},
    )


def _read_cpp_head(record: Record) -> str:
    """Return the code before the body; CPP/38's declaration contains half of the solution."""
    declared: str = record["declaration"]
    is_head = declared.count("{") == declared.count("}") + 1
    return declared if is_head else re.sub(r"(?s)/\*.*?\*/", "", record["prompt"])


def cpp(record: Record) -> Translated:
    """Translate a C++ task; its tests declare the answer's function."""
    head = translation.quote_stub_includes(_read_cpp_head(record))
    tests = translation.quote_stub_includes(record["test"])
    includes, main, body = tests.partition("int main()")
    return Translated(
        language="cpp",
        tests=translation.make_cpp_tests(f"{head.rstrip().removesuffix('{')};\n{includes}", main + body),
        solution=head + record["canonical_solution"],
        files={
            "boost/any.hpp": translation.read_stub("any.hpp"),
            "openssl/md5.h": translation.read_stub("md5.h"),
        },
    )


def rust(record: Record) -> Translated:
    """Translate a Rust task; drop imports of the crates that it does not use."""
    code = record["canonical_solution"] + record["test"]
    head, crates = translation.remove_unused_crates(record["declaration"], code)
    return Translated(
        language="rust", tests=record["test"], solution=head + record["canonical_solution"], crates=crates
    )


def python(record: Record) -> Translated:
    """Translate a Python task; the last line of its tests calls `check`."""
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
    """Convert records to cases, identical in both protocols."""
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
