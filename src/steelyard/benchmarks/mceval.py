"""McEval: functions in the languages that have a recipe and a toolchain."""

import re
from collections.abc import Callable, Iterable, Iterator

from steelyard.benchmarks import translation
from steelyard.benchmarks.translation import Translated
from steelyard.model.benchmark import Benchmark, BenchmarkFile, ProtocolKind, Record
from steelyard.model.case import Case


def python(record: Record) -> Translated:
    """Translate a Python task; the last line of its tests calls `check`."""
    start = record["prompt"]
    return Translated(
        language="python",
        tests=record["test"],
        solution=f"{start}\n{record['canonical_solution']}",
    )


def cpp(record: Record) -> Translated:
    """Translate a C++ task; its tests repeat the includes and declare the function."""
    includes = "\n".join(re.findall(r"(?m)^(?:#include.*|using namespace .*)$", record["prompt"]))
    declared = f"{includes}\n{record['signature'].rstrip().removesuffix('{').rstrip(';')};\n"
    return Translated(
        language="cpp",
        tests=translation.make_cpp_tests(declared, record["test"]),
        solution=f"{record['prompt']}\n{record['canonical_solution']}",
    )


def go(record: Record) -> Translated:
    """Translate a Go task."""
    return Translated(
        language="go",
        tests=translation.make_go_file("{package}", record["test"]),
        solution=translation.make_go_file("answer", f"{record['prompt']}\n{record['canonical_solution']}"),
        files=translation.make_go_modules(),
    )


def js(record: Record) -> Translated:
    """Translate a JavaScript task; its solution becomes a module that exports the function."""
    name = record["entry_point"]
    console = "import { ok } from 'node:assert';\nconst console = { assert: ok };"
    return Translated(
        language="javascript",
        shape=f"a whole ES module that exports {name}",
        tests=translation.make_node_tests(name, record["test"], assertions=console),
        solution=f"{record['prompt']}\n{record['canonical_solution']}\nexport {{ {name} }};\n",
    )


def rust(record: Record) -> Translated:
    """Translate a Rust task."""
    code = record["canonical_solution"] + record["test"]
    head, crates = translation.remove_unused_crates(record["prompt"], code)
    return Translated(
        language="rust",
        tests=record["test"],
        solution=f"{head}\n{record['canonical_solution']}",
        crates=crates,
    )


LANGUAGES: dict[str, Callable[[Record], Translated]] = {
    "CPP": cpp,
    "Go": go,
    "JavaScript": js,
    "Python": python,
    "Rust": rust,
}


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases, identical in both protocols."""
    del protocol
    return translation.cases_by_language(records, LANGUAGES)


BENCHMARK = Benchmark(
    name="mceval",
    version="2024-06",
    tasks=253,
    languages=("cpp", "go", "javascript", "python", "rust"),
    licence="CC-BY-SA-4.0",
    address="https://raw.githubusercontent.com/MCEVAL/McEval/{revision}/data",
    revision="09dec129dd5756447227239b3e5b47e543c2e0fd",
    files=tuple(
        BenchmarkFile(path=f"{part}.jsonl", sha256=digest, part=part)
        for part, digest in {
            "CPP": "e303524cf0f73b1d6875a91166f7c9c98417188674c40bd5af7976ff5c24c811",
            "Go": "c25d91c8e4ca59fe0e82828845b32a6130bba8e801f43b5562b0e2d65ecb6131",
            "JavaScript": "fcdf0c4cd1dbc7b4e0ec05190203cfa320ecd3db47bce3c12ec1a8f40038496b",
            "Python": "6e84bef2dd4e55033691da7ed3b506cec75d7efa1d9fff48d629704e36e56eda",
            "Rust": "721cd2eefbe52fac7c86026f8e48576be3828a11d6128330e97fbb332c9c7f38",
        }.items()
    ),
    protocol=translation.protocol("McEval generation", passes="the program ends with exit code 0"),
    cases=cases,
    needs="g++, go, node, cargo: those of the parts that are run",
)
