"""Wrong answers that try to break their own check, so that nothing is counted against them."""

# ruff: noqa: E501  # the code of an answer stands as it is

from collections.abc import Iterator
from typing import NamedTuple

from steelyard.model.case import Case, Expectations
from steelyard.model.graded import FunctionCall, InputOutput
from tests.checks.forms.tests.cases import C_TESTS, JAVA_TESTS, JS_TESTS
from tests.checks.toolchains.terraform.cases import BROKEN

LONG = "N" * 300
PYTHON_TESTS = "def test_adds():\n    assert add(1, 2) == 3\n"
RUST_TESTS = "#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n"
CALLS = (FunctionCall(args=(1, 2), returns=3),)
RUNS = (InputOutput(stdin="1 2\n", stdout="3\n"),)
SCHEMA = '{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}'


class Language(NamedTuple):
    """What a wrong answer in a language looks like, and the names of files around it."""

    case: Case
    wrong: str
    main: str  # the usual name of an answer's file
    ours: str  # a file that the check puts there itself
    ending: str


def case(language: str, name: str = "", **wanted: object) -> Case:
    expectations = Expectations(**wanted)  # type: ignore[arg-type]  # each way has fields of its own
    memory_mb = 512 if language == "python" else None  # so that it is soon used up
    return Case(
        id=name or language,
        language=language,
        timeout_s=30.0,
        memory_mb=memory_mb,
        expectations=expectations,
    )


LANGUAGES = (
    Language(
        case("python", tests=PYTHON_TESTS),
        "def add(a, b):\n    return 0\n",
        "solution.py",
        "grade.py",
        "py",
    ),
    Language(
        case("rust", tests=RUST_TESTS),
        "pub fn add(a: i32, b: i32) -> i32 { a - b }\n",
        "src/lib.rs",
        "src/main.rs",
        "rs",
    ),
    Language(
        Case(id="terraform", language="terraform", timeout_s=30.0, files={"main.tf": BROKEN}),
        BROKEN,
        "main.tf",
        "main.tf",
        "tf",
    ),
    Language(
        case("java", tests=JAVA_TESTS),
        "public class Sum {\n    static int add(int a, int b) { return 0; }\n}\n",
        "Sum.java",
        "tests/Graded.java",
        "java",
    ),
    Language(
        case("c", tests=C_TESTS),
        "int add(int a, int b) { return 0; }\n",
        "answer.c",
        "graded.h",
        "c",
    ),
    Language(
        case("javascript", tests=JS_TESTS),
        "export function add(a, b) { return 0; }\n",
        "answer.mjs",
        "graded.mjs",
        "mjs",
    ),
)


class WayOut(NamedTuple):
    """A wrong answer, and what it tries."""

    name: str
    case: Case
    text: str


def fenced(language: str, code: str, name: str = "") -> str:
    """Return a block of code as an answer gives it."""
    return f"```{language} {name}\n{code}```\n".replace(" \n", "\n", 1)


def created(name: str, code: str) -> str:
    """Return a diff that creates a file."""
    lines = "".join(f"+{line}\n" for line in code.splitlines())
    return f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{code.count(chr(10))} @@\n{lines}"


def by_names(of: Language) -> Iterator[tuple[str, str]]:
    """Return answers whose files cannot be written, or lie where they should not."""
    tongue, wrong = of.case.language, of.wrong
    main = fenced(tongue, wrong, of.main)
    yield "a file below the main file", main + fenced(tongue, wrong, f"{of.main}/x.{of.ending}")
    yield "a file below one of ours", main + fenced(tongue, wrong, f"{of.ours}/x.{of.ending}")
    yield (
        "a folder like a file",
        main
        + fenced(tongue, wrong, f"a.{of.ending}")
        + fenced(tongue, wrong, f"a.{of.ending}/b.{of.ending}"),
    )
    yield "a diff that leads out", created(of.main, wrong) + created(f"../../x.{of.ending}", wrong)
    yield "a diff to an absolute path", created(of.main, wrong) + created(f"/etc/x.{of.ending}", wrong)
    yield "a diff to a name of 300 letters", created(of.main, wrong) + created(f"{LONG}.{of.ending}", wrong)
    yield (
        "a diff to a name with control signs",
        created(of.main, wrong) + created(f"a\x01\x1b.{of.ending}", wrong),
    )
    yield "a diff 900 folders deep", created(of.main, wrong) + created("d/" * 900 + f"x.{of.ending}", wrong)
    yield "a lone surrogate and a NUL", fenced(tongue, f"{wrong}// \ud800 \0\n")


PYTHON = {
    "a NUL in the code": "def add(a, b): return 0\0\n",
    "an encoding that is none": "# -*- coding: no-such-thing -*-\ndef add(a, b): return 0\n",
    "parentheses a million deep": "x = " + "(" * 1_000_000 + ")" * 1_000_000 + "\n",
    "a number of a million digits": "x = " + "9" * 1_000_000 + "\ndef add(a, b): return 0\n",
    "exits before the tests": "import os\nos._exit(0)\n",
    "kills the first process": "import os\nos.kill(1, 9)\ndef add(a, b): return 0\n",
    "kills its parent": "import os\nos.kill(os.getppid(), 9)\ndef add(a, b): return 0\n",
    "kills everything": "import os\nos.kill(-1, 9)\n",
    "stops its parent": "import os\nos.kill(os.getppid(), 19)\ndef add(a, b): return 0\n",
    "closes every descriptor": "import os\nos.closerange(0, 256)\ndef add(a, b): return 0\n",
    "writes into every descriptor": (
        "import os\n"
        "for n in range(256):\n"
        "    try: os.write(n, b'\\xff\\0garbage\\n' * 9999)\n"
        "    except OSError: pass\n"
        "def add(a, b): return 0\n"
    ),
    "fills the workspace": "open('x', 'wb').write(b'x' * (1 << 30))\n",
    "starts processes without end": "import os\nwhile True:\n    os.fork()\n",
    "takes all memory": "x = [b'x' * (1 << 24) for _ in range(10_000)]\n",
    "removes its own folder": "import shutil\nshutil.rmtree('.', True)\ndef add(a, b): return 0\n",
    "an error that cannot be shown": (
        "class E(Exception):\n    def __str__(self): raise SystemExit\n    __repr__ = __str__\nraise E\n"
    ),
    "a result that cannot be read": (
        "class R:\n    def __eq__(self, other): raise SystemExit\n"
        "    def __reduce__(self): raise SystemExit\ndef add(a, b): return R()\n"
    ),
    "prints 200 MB": "import sys\nsys.stdout.write('x' * (200 << 20))\ndef add(a, b): return 0\n",
}
CALLED = {
    "a result 100,000 lists deep": "def add(a, b):\n    x = []\n    for _ in range(100_000): x = [x]\n    return x\n",
    "a result that holds itself": "def add(a, b):\n    x = []\n    x.append(x)\n    return x\n",
    "a lone surrogate": "def add(a, b): return '\\ud800'\n",
    "a number of a million digits": "def add(a, b): return 10 ** 1_000_000\n",
    "a result of 100 MB": "def add(a, b): return 'x' * (100 << 20)\n",
    "a lie about every descriptor": (
        "import os\n"
        "def add(a, b):\n"
        "    for n in range(64):\n"
        "        try: os.write(n, b'{\"ok\": [[[[')\n"
        "        except OSError: pass\n"
    ),
}
PRINTED = {
    "no UTF-8": "import sys\nsys.stdout.buffer.write(bytes(range(256)) * 99)\n",
    "200 MB": "print('x' * (200 << 20))\n",
    "closes its output": "import os\nos.close(1)\nos.close(2)\n",
    "dies of a signal": "import os\nos.kill(os.getpid(), 11)\n",
}
MODULES = {
    "in parentheses": '("./x")',
    "in a heredoc": "<<A\n./x\nA\n",
    "a folder that is not there": '"./nowhere"',
    "itself": '"./."',
    "the root": '"/"',
    "processes": '"/proc/self/root"',
    "a pattern": '"./*"',
    "an address": '"https://example.org/x.zip"',
    "a name of 300 letters": f'"./{LONG}"',
    "an expression": "var.size",
}
FLOOD = 'output "flood" {\n  value = 1\n  precondition {\n    condition = false\n    error_message = join("", [for i in range(1024) : join("", [for j in range(1024) : "xxxxxxxxxxxxxxxx"])])\n  }\n}\n'
TEXTS = {
    "a lone surrogate": "\ud800",
    "5 MB of blanks": " " * 5_000_000,
    "a NUL": "\0",
    "fences without end": "```\n" * 50_000,
    "thoughts without end": "<think>" * 50_000,
}
OBJECTS = {
    "100,000 lists deep": "[" * 100_000,
    "100,000 lists deep, closed": "[" * 100_000 + "]" * 100_000,
    "100,000 objects deep": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "a number of a million digits": '{"a": ' + "9" * 1_000_000 + "}",
    "a number out of range": '{"a": 1e999999999}',
    "a lone surrogate": '{"a": "\\ud800"}',
    "no number": '{"a": NaN}',
    "one name 100,000 times": "{" + '"a": "x", ' * 100_000 + '"a": "x"}',
}
CLASSES = {
    "a class of 300 letters": f"public class {LONG} {{}}\n",
    "a class of 70,000 letters": f"public class {'N' * 70_000} {{}}\n",
    "a class of letters from afar": f"public class {'尺' * 100} {{}}\n",
    "100,000 blank lines": "\n" * 100_000 + "class Sum {}\n",
    "a package far down": f"package {'a.' * 500}b;\npublic class Sum {{}}\n",
}
MACROS = {
    "a macro without end": "#[macro_export]\nmacro_rules! m { () => { m!(); m!() } }\nm!();\n",
    "parentheses 100,000 deep": f"pub fn add() -> i32 {{ {'(' * 100_000}1{')' * 100_000} }}\n",
    "reads what cannot be read": 'const X: &[u8] = include_bytes!("/dev/zero");\n',
    "prints 100 MB": 'pub fn add(_: i32, _: i32) -> i32 { for _ in 0..99999 { println!("{}", "x".repeat(1024)); } 0 }\n',
    "exits": "pub fn add(_: i32, _: i32) -> i32 { std::process::exit(0) }\n",
}


def ways_out() -> Iterator[WayOut]:
    """Return every way that is tried."""
    for one in LANGUAGES:
        yield from (WayOut(f"{one.case.language}, {name}", one.case, text) for name, text in by_names(one))
    python, rust, terraform, java = (one.case for one in LANGUAGES[:4])
    calls = case("python", "calls", function="add", calls=CALLS)
    io = case("python", "io", io=RUNS)
    kinds = (
        (python, PYTHON),
        (calls, {**CALLED, **{f"calls: {name}": code for name, code in PYTHON.items()}}),
        (io, PRINTED),
        (rust, MACROS),
        (java, CLASSES),
        (case("java", "java-io", io=RUNS), dict(list(CLASSES.items())[:3])),
        (case("c", "c-io", io=RUNS), {"exits": "#include <stdlib.h>\nint main(void) { abort(); }\n"}),
        (
            case("javascript", "javascript-calls", function="add", calls=CALLS),
            {
                "a getter that throws": "export function add() { return { get a() { throw 1; } }; }\n",
                "exits": "process.exit(0);\n",
                "no end of output": "export function add() { return 'x'.repeat(1 << 26); }\n",
            },
        ),
    )
    for of, texts in kinds:
        for name, code in texts.items():
            yield WayOut(f"{of.id}, {name}", of, fenced(of.language, code))
    for name, source in MODULES.items():
        module = f'module "x" {{\n  source = {source}\n}}\n'
        yield WayOut(f"terraform, a module from {name}", terraform, fenced("hcl", BROKEN + module))
    yield WayOut("terraform, a message of 16 MB", terraform, fenced("hcl", BROKEN + FLOOD))
    for name, text in TEXTS.items():
        yield WayOut(f"text, {name}", case("text", settings={"exact": "right"}), text)
    for name, text in OBJECTS.items():
        yield WayOut(f"json, {name}", case("json", settings={"json_schema": SCHEMA}), text)
