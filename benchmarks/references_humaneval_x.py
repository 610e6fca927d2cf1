"""Check the references of HumanEval-X in Go, Java, JavaScript and C++ by the shipped recipes.

A record is a program: declaration, solution and tests in one file, judged by its exit code. Here solution and
tests are files of their own, as the recipes have it, and every assertion of the record counts. Packages that
references or tests use come from `stand_ins/`. No reference may fail, and no stub, which only raises, pass.
STEELYARD_BENCHMARKS names the folder of humaneval-x/humaneval_go.jsonl.gz and so on; no text of it is here.
Run: STEELYARD_BENCHMARKS=… python -m benchmarks.references_humaneval_x [go java js cpp] [--sample N]
"""

import argparse
import gzip
import json
import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks.references import benchmarks_folder
from steelyard.checks.command.checker import CommandChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

STAND_INS = Path(__file__).parent / "stand_ins"
TIMEOUT_S = 300.0  # for a busy machine; no reference takes a second by itself
Record = Mapping[str, str]
GO_IMPORT = re.compile(r'import (?:\([^)]*\)|".*")')
GO_PACKAGES = (
    *("bytes", "crypto/md5", "errors", "fmt", "math", "math/rand", "regexp", "sort", "strconv", "strings"),
    *("testing", "time", "unicode", "github.com/stretchr/testify/assert"),
)


class Reference(NamedTuple):
    """A case with the solution that comes with it, and one that only raises."""

    case: Case
    solution: str
    stub: str


def _case(record: Record, language: str, tests: str, files: Mapping[str, str]) -> Case:
    return Case(
        id=record["task_id"],
        language=language,
        timeout_s=TIMEOUT_S,
        files=files,
        expectations=Expectations(tests=tests),
    )


def _stand_in(name: str) -> str:
    return (STAND_INS / name).read_text(encoding="utf-8")


def go(record: Record) -> Reference:
    """Return a task in Go; each file imports what it uses, as the benchmark's own harness sees to it."""
    files = {
        "go.mod": "module answer\n\ngo 1.19\n\nrequire github.com/stretchr/testify v1.0.0\n\n"
        "replace github.com/stretchr/testify => ./testify\n",
        "testify/go.mod": "module github.com/stretchr/testify\n",
        "testify/assert/assert.go": _stand_in("assert.go"),
    }
    tests = _go_file("{package}", record["test"])

    def answer(body: str) -> str:
        return _go_file("answer", GO_IMPORT.sub("", record["prompt"]) + body)

    stub = 'panic("nothing")\n}\n'
    return Reference(_case(record, "go", tests, files), answer(record["canonical_solution"]), answer(stub))


def _go_file(package: str, code: str) -> str:
    used = [path for path in GO_PACKAGES if re.search(rf"\b{path.rpartition('/')[2]}\.[A-Z]", code)]
    imports = "".join(f'    "{path}"\n' for path in used)
    return f"package {package}\n\nimport (\n{imports})\n\n{code}"


def java(record: Record) -> Reference:
    """Return a task in Java; the class Main of its tests is called by a method of ours."""
    imports = "\n".join(re.findall(r"(?m)^import .*;", record["declaration"]))
    main = record["test"].replace("public class Main", "class Main")
    called = "class Tests {\nstatic void holds() throws Exception { Main.main(new String[0]); }\n}\n"
    tests = f"{imports}\n{main}\n{called}"
    stub = record["prompt"] + "        throw new RuntimeException();\n    }\n}\n"
    return Reference(_case(record, "java", tests, {}), record["prompt"] + record["canonical_solution"], stub)


def js(record: Record) -> Reference:
    """Return a task in JavaScript; its answer, which is no module and not strict, is wrapped in one."""
    names = sorted(set(re.findall(r"(?m)^(?:const|let|var|function) (\w+)", record["declaration"])))
    listed = ", ".join(names)
    tests = "\n".join(
        [
            "import test from 'node:test';",
            "import { ok } from 'node:assert';",
            f"import {{ {listed} }} from './answer.mjs';",
            "const console = { assert: ok };",
            f"test('holds', () => {{\n{record['test']}\n}});\n",
        ]
    )
    files = {"node_modules/js-md5/index.js": _stand_in("md5.js")}
    required = (
        "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n"
    )

    def answer(body: str) -> str:
        code = json.dumps(f"{record['prompt']}{body}\nreturn {{ {listed} }};")
        return f"{required}export const {{ {listed} }} = new Function('require', {code})(require);\n"

    case = _case(record, "javascript", tests, files)
    return Reference(case, answer(record["canonical_solution"]), answer("throw new Error();\n}\n"))


def cpp(record: Record) -> Reference:
    """Return a task in C++; its tests declare the function that the answer defines."""
    files = {"boost/any.hpp": _stand_in("any.hpp"), "openssl/md5.h": _stand_in("md5.h")}
    head = _quoted(record["declaration"])
    declared = head.rstrip().removesuffix("{") + ";\n"
    # Headers come before `assert` is ours: they may include another one.
    tests = _quoted(record["test"]).replace(
        "#include<assert.h>", "#include<assert.h>\n#undef assert\n#define assert CHECK"
    )
    tests = tests.replace("int main()", "static void run_all()")
    tests = f'#include "graded.h"\n{declared}{tests}\nTEST(holds) {{ run_all(); }}\n'
    # With commas in it, a condition would be several arguments.
    tests = tests.replace("#define assert CHECK", "#define assert(...) CHECK((__VA_ARGS__))")
    case = _case(record, "cpp", tests, files)
    return Reference(case, head + record["canonical_solution"], head + "throw 1;\n}\n")


def _quoted(code: str) -> str:
    """Return C++ code that includes the stand-ins, which lie beside it."""
    return re.sub(r"#include\s*<((?:boost|openssl)/.*?)>", r'#include "\1"', code)


LANGUAGES: dict[str, Callable[[Record], Reference]] = {"go": go, "java": java, "js": js, "cpp": cpp}


def references(folder: Path, language: str) -> list[Reference]:
    """Return the tasks in one language."""
    path = folder / "humaneval-x" / f"humaneval_{language}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [LANGUAGES[language](record) for record in map(json.loads, lines)]


def run(checker: CommandChecker, answers: list[tuple[Case, str]], workers: int) -> list[tuple[bool, str]]:
    """Check answers; return of each whether it passes, and what was said."""

    def check(one: tuple[Case, str]) -> tuple[bool, str]:
        case, text = one
        outcome = checker.check(case, f"~~~~{case.language}\n{text}\n~~~~")
        kind = outcome.facts.classification
        return kind is Classification.PASS, f"{case.id}: {kind} {' '.join(outcome.detail.split())[:400]}"

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(check, answers))


def main() -> int:
    """Check the languages; tell by the exit code whether all references pass, and no stub."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("languages", nargs="*", choices=[*LANGUAGES, []], default=[])
    parser.add_argument("--sample", type=int, default=1, help="check every N-th task")
    parser.add_argument("--stubs", type=int, default=1, help="check the stub of every N-th of them")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    checker = CommandChecker(BubblewrapSandbox())
    wrong = 0
    for language in options.languages or LANGUAGES:
        tasks = references(benchmarks_folder(), language)[:: options.sample]
        began = time.monotonic()
        right = run(checker, [(task.case, task.solution) for task in tasks], options.workers)
        stubs = run(checker, [(task.case, task.stub) for task in tasks[:: options.stubs]], options.workers)
        failing = [said for passes, said in right if not passes]
        forged = [said for passes, said in stubs if passes]
        print(
            f"{language}: {len(right) - len(failing)} of {len(right)} references pass, "
            f"{len(forged)} of {len(stubs)} stubs pass, {time.monotonic() - began:.0f} s"
        )
        print("\n".join([*failing, *forged]), flush=True)
        wrong += len(failing) + len(forged)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
