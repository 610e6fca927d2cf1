"""Programs as people and models usually write them read their input and pass."""

from dataclasses import replace

import pytest

from steelyard.checks.forms.io.checker import IoChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import InputOutput
from steelyard.model.outcome import Classification
from tests.checks.forms.calls.answers import fenced
from tests.checks.leftovers import used_sandbox

SUM = "const [a, b] = fs.readFileSync(0, 'utf8').trim().split(' ').map(Number);\nconsole.log(a + b);"
LINES = (
    "rl.on('line', (line{type}) => {{ const [a, b] = line.split(' ').map(Number); console.log(a + b); }});"
)
SCANNED = (
    "{visible}class {name} {{ public static void main(String[] args) {{"
    " java.util.Scanner s = new java.util.Scanner(System.in);"
    " System.out.println(s.nextInt() + s.nextInt()); }} }}"
)
PROGRAMS = {
    "a module that requires": ("javascript", f"const fs = require('fs');\n{SUM}"),
    "a program of its own": (
        "javascript",
        f"const fs = require('fs');\nfunction main() {{ {SUM} }}\nif (require.main === module) main();",
    ),
    "lines as they come": (
        "javascript",
        "const rl = require('readline').createInterface({ input: process.stdin });\n" + LINES.format(type=""),
    ),
    "typed, with a module of node": ("typescript", f"import * as fs from 'fs';\n{SUM}"),
    "typed lines": (
        "typescript",
        "import * as readline from 'readline';\n"
        "const rl = readline.createInterface({ input: process.stdin });\n" + LINES.format(type=": string"),
    ),
    "lines without a type": (
        "typescript",
        (
            "import * as readline from 'readline';\nconst rl: readline.Interface =\n"
            "  readline.createInterface({ input: process.stdin });\nconst lines = [];\n"
            "rl.on('line', (line) => lines.push(line));\nrl.on('close', () => {\n"
            "  const [a, b] = lines[0].split(' ').map(x => Number(x));\n  console.log(a + b); });"
        ),
    ),
    "chunks without a type": (
        "typescript",
        (
            "let data = '';\nlet timer: NodeJS.Timeout | null = null;\n"
            "process.stdin.on('data', chunk => { const raw: Buffer = chunk; data += raw.toString(); });\n"
            "process.stdin.on('end', () => {\n  const numbers = [];\n"
            "  for (const word of data.trim().split(' ')) numbers.push(Number(word));\n"
            "  console.log(numbers.reduce((a, b) => a + b)); });"
        ),
    ),
    "types of node": (
        "typescript",
        (
            "import { EventEmitter } from 'events';\nimport * as fs from 'node:fs';\n"
            "const found: fs.Stats | null = null;\nconst events: EventEmitter = new EventEmitter();\n"
            "const read = (at: number) => {\n  try { return fs.readFileSync(at, 'utf8') as string; }\n"
            "  catch (e) { console.log((e as NodeJS.ErrnoException).code); return ''; } };\n"
            "const counts = {};\nfor (const word of read(0).trim().split(' ')) counts[word] = Number(word);\n"
            "events.on('done', (total) => console.log(total));\n"
            "events.emit('done', Object.values<number>(counts).reduce((a, b) => a + b));"
        ),
    ),
    "the input by name, in JavaScript": (
        "javascript",
        f"const fs = require('fs');\n{SUM}".replace("(0,", "('/dev/stdin',"),
    ),
    "the streams by name, in Python": (
        "python",
        (
            "a, b = open('/dev/stdin').read().split()\n"
            "with open('/dev/stdout', 'w') as out: print(int(a) + int(b), file=out)\n"
            "with open('/dev/stderr', 'a') as said: print('done', file=said)"
        ),
    ),
    "the input by name, in Rust": (
        "rust",
        (
            'fn main() { let text = std::fs::read_to_string("/dev/stdin").unwrap();\n'
            '    println!("{}", text.split_whitespace().map(|x| x.parse::<i32>().unwrap()).sum::<i32>()); }'
        ),
    ),
    "a class that is not public": ("java", SCANNED.format(visible="", name="Solution")),
    "a class in a package": ("java", "package a.b;\n" + SCANNED.format(visible="public ", name="Sum")),
    "a helper with a main of its own": (
        "java",
        "class Aid { public static void main(String[] args) {} }\n"
        + SCANNED.format(visible="public ", name="Sum"),
    ),
}


@pytest.fixture(scope="module")
def checker() -> IoChecker:
    return IoChecker(used_sandbox())


def case(language: str) -> Case:
    tests = (InputOutput(stdin="1 2\n", stdout="3\n"), InputOutput(stdin="2 5\n", stdout="7\n"))
    return Case(id="sum", language=language, timeout_s=60.0, expectations=Expectations(io=tests))


@pytest.mark.parametrize(
    ("language", "code"),
    PROGRAMS.values(),
    ids=[f"{language}: {name}" for name, (language, _) in PROGRAMS.items()],
)
def test_a_usual_program_passes(language: str, code: str, checker: IoChecker) -> None:
    outcome = checker.check(case(language), fenced(language, code))

    assert outcome.facts.classification is Classification.PASS, outcome.detail


@pytest.mark.check_all
@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "import sys\nprint('|'.join(sys.argv[1:]))"),
        ("c", '#include <stdio.h>\nint main(int n, char **a) { printf("%s|%s", a[1], a[2]); }'),
        ("java", 'class A { public static void main(String[] a) { System.out.print(a[0] + "|" + a[1]); } }'),
        ("javascript", "console.log(process.argv.slice(2).join('|'))"),
        ("typescript", "console.log(process.argv.slice(2).join('|'))"),
    ],
)
def test_arguments_reach_a_program(language: str, code: str, checker: IoChecker) -> None:
    wanted = Expectations(io=(InputOutput(stdin="", args=("-v", "two words"), stdout="-v|two words\n"),))

    outcome = checker.check(replace(case(language), expectations=wanted), fenced(language, code))

    assert outcome.facts.classification is Classification.PASS, outcome.detail


@pytest.mark.check_all
@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("typescript", "const a: number = 'three';\nconsole.log(3);"),
        ("typescript", "const a: number = (x => 'three')(1);\nconsole.log(3);"),
        ("typescript", "namespace A {}\nlet a: A.B;\nconsole.log(3);"),
        ("typescript", "console.log(3"),
        ("java", "class A { static int f() { return 3; } }"),
        ("java", "class A { public static void main(String[] args) { throw new IllegalStateException(); } }"),
    ],
)
def test_a_faulty_program_does_not(language: str, code: str, checker: IoChecker) -> None:
    outcome = checker.check(case(language), fenced(language, code))

    assert outcome.facts.classification is not Classification.PASS
