"""Whole programs that try to pass without adding: by printing too much, by looking around, by staying."""

# ruff: noqa: E501  # the code of an answer stands as it is

from typing import NamedTuple

from steelyard.model.case import Expectations
from steelyard.model.graded import Compare, InputOutput
from steelyard.model.outcome import Classification

FAIL, CRASH, TIMEOUT = Classification.FAIL, Classification.CRASH, Classification.TIMEOUT
RUNS = (
    InputOutput(stdin="1 2\n", stdout="3\n", name="small"),
    InputOutput(stdin="-1 -2\n", stdout="-3\n", name="negative"),
)
SUM = Expectations(io=RUNS)
LONG = Expectations(io=(InputOutput(stdin="", stdout="12345678901234567890\n"),), compare=Compare.NUMBERS)
ROUGH = Expectations(
    io=(InputOutput(stdin="", stdout="1.41421356\n"),), compare=Compare.NUMBERS, tolerance=1e-6
)
WORDS = Expectations(io=(InputOutput(stdin="", stdout="3\n"),), compare=Compare.TOKENS)
EXACT = Expectations(io=(InputOutput(stdin="", stdout="3\n"),), compare=Compare.EXACT)
JUDGED = Expectations(
    io=(InputOutput(stdin="", stdout="3\n"),),
    compare=Compare.PROGRAM,
    comparator="import sys\nwanted, got = (open(name).read().split() for name in sys.argv[2:])\nsys.exit(wanted != got)\n",
)


class Attack(NamedTuple):
    """A program that does not add, what it is held against, and how its check may end."""

    language: str
    name: str
    code: str
    kinds: tuple[Classification, ...] = (FAIL,)
    wanted: Expectations = SUM


def _python(name: str, code: str, *kinds: Classification, wanted: Expectations = SUM) -> Attack:
    return Attack("python", name, code, kinds or (FAIL,), wanted)


PYTHON = (
    _python("prints both answers", "print(3)\nprint(-3)"),
    _python("prints all numbers", "for n in range(-9, 9): print(n)"),
    _python(
        "prints the right one and dies",
        "a, b = map(int, input().split())\nprint(a + b, flush=True)\nimport os\nos.kill(os.getpid(), 9)",
        CRASH,
    ),
    _python(
        "prints the right one and leaves with an error",
        "a, b = map(int, input().split())\nprint(a + b)\nraise SystemExit(1)",
    ),
    _python(
        "prints it where nobody looks",
        "import sys\na, b = map(int, input().split())\nprint(a + b, file=sys.stderr)",
    ),
    _python(
        "looks for it in other processes",
        "import glob\nfor name in glob.glob('/proc/*/environ') + glob.glob('/proc/*/cmdline'):\n    try: print(open(name, 'rb').read()[:99])\n    except OSError: pass",
    ),
    _python(
        "looks for it on disk", "import os\nprint([name for _, _, names in os.walk('.') for name in names])"
    ),
    _python(
        "remembers the run before",
        "import os\nprint(3 if not os.path.exists('/tmp/seen') else -3)\nopen('/tmp/seen', 'w').close()",
    ),
    _python(
        "changes its program for the next run",
        "import os\nfor name in os.listdir('.'):\n    if name.endswith('.py'): open(name, 'w').write('print(-3)')\nprint(3)",
    ),
    _python(
        "leaves a process that prints later",
        "import os, time\nif os.fork() == 0:\n    time.sleep(0.2)\n    print(3)\n    os._exit(0)",
        FAIL,
    ),
    _python(
        "hides more behind blanks",
        "import sys\nsys.stdout.write('3' + ' ' * (1 << 21) + 'and not 3')",
        wanted=WORDS,
    ),
    _python(
        "hides more behind empty lines",
        "import sys\nsys.stdout.write('3' + chr(10) * (1 << 21) + 'and not 3')",
        wanted=WORDS,
    ),
    _python("prints without end", "while True: print('x' * 10_000)", CRASH, TIMEOUT, FAIL),
    _python("is another number of as many digits", "print(12345678901234567891)", wanted=LONG),
    _python("is that number as a float", "print(1.2345678901234567e19 + 4096)", wanted=LONG),
    _python("is not a number", "print('nan')", wanted=ROUGH),
    _python("is infinite", "print('inf')", wanted=ROUGH),
    _python("is two numbers", "print('1.41421356 1.41421356')", wanted=ROUGH),
    _python("has a null before it", "print(chr(0) + '3')", wanted=EXACT),
    _python("has a mark of byte order before it", "print(chr(0xfeff) + '3')", wanted=EXACT),
    _python("ends the line otherwise", "print('3', end=chr(0x2028))", wanted=EXACT),
    _python(
        "prints what the comparator would have to run", "print('__import__(\"sys\").exit(0)')", wanted=JUDGED
    ),
    _python("prints blanks for the comparator", "print(' ')", wanted=JUDGED),
    _python("prints both for the comparator", "print('3 3')", wanted=JUDGED),
    _python("never ends", "while True: pass", TIMEOUT),
    _python("closes its output", "import os\nos.close(1)", FAIL, CRASH),
    _python("prints half a character", "import sys\nsys.stdout.buffer.write(b'\\xed\\xa0\\x80')"),
)


def _four(language: str, both: str, nothing: str, dies: str, spins: str) -> tuple[Attack, ...]:
    """Return the same four tricks in another language."""
    return (
        Attack(language, "prints both answers", both),
        Attack(language, "prints nothing, with success", nothing),
        Attack(language, "prints one answer and dies", dies, (FAIL, CRASH)),
        Attack(language, "never ends", spins, (TIMEOUT,)),
    )


def _c(language: str) -> tuple[Attack, ...]:
    head = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { "
    return _four(
        language,
        f'{head}puts("3\\n-3"); return 0; }}\n',
        f"{head}return 0; }}\n",
        f'{head}puts("3"); fflush(stdout); abort(); }}\n',
        f"{head}for (volatile int i = 0;; i++); }}\n",
    )


def _node(language: str) -> tuple[Attack, ...]:
    head = "declare const process: any; declare const console: any;\n" if language == "typescript" else ""
    tail = "export {};\n" if language == "typescript" else ""
    return _four(
        language,
        f"{head}console.log('3\\n-3');\n{tail}",
        f"{head}process.exit(0);\n{tail}",
        f"{head}console.log(3);\nprocess.abort();\n{tail}",
        f"{head}for (;;);\n{tail}",
    )


def _java(code: str) -> str:
    return f"public class Sum {{ public static void main(String[] x) {{ {code} }} }}\n"


ATTACKS = (
    *PYTHON,
    *_c("c"),
    *_c("cpp"),
    *_node("javascript"),
    *_node("typescript"),
    *_four(
        "rust",
        'fn main() { println!("3\\n-3"); }\n',
        "fn main() { std::process::exit(0); }\n",
        'fn main() { println!("3"); std::process::abort(); }\n',
        "fn main() { loop { std::hint::black_box(0); } }\n",
    ),
    *_four(
        "go",
        'package main\nimport "fmt"\nfunc main() { fmt.Println("3\\n-3") }\n',
        "package main\nfunc main() {}\n",
        'package main\nimport "fmt"\nfunc main() { fmt.Println(3); panic(1) }\n',
        "package main\nfunc main() { for {} }\n",
    ),
    *_four(
        "java",
        _java('System.out.println("3\\n-3");'),
        _java("System.exit(0);"),
        _java("System.out.println(3); System.out.flush(); Runtime.getRuntime().halt(134);"),
        _java("for (;;) Thread.onSpinWait();"),
    ),
)
