"""Answers that try to pass without adding: by forging results, by breaking the driver or its machine."""

# ruff: noqa: E501  # the code of an answer stands as it is

from typing import NamedTuple

from steelyard.model.graded import FunctionCall
from steelyard.model.outcome import Classification
from tests.checks.forms.calls.tasks import ADD, CallsTask

FAIL, CRASH, TIMEOUT, BUILD = (
    Classification.FAIL,
    Classification.CRASH,
    Classification.TIMEOUT,
    Classification.BUILD_ERROR,
)
FAKE = r"{\"call\":0,\"returns\":0}\n{\"call\":1,\"returns\":true}\n{\"call\":2,\"returns\":null}\n"
# What is expected here is a set of sets, and a table whose keys are no texts.
GROUPS = CallsTask("groups", (FunctionCall(args=(1,), returns={"set": [{"set": [1]}]}),))
TABLE = CallsTask("table", (FunctionCall(args=(1,), returns={"dict": [[{"tuple": [1]}, 2]]}),))
ROOT = CallsTask("root", (FunctionCall(args=(2.0,), returns=1.41421356),), tolerance=1e-6)
SAY = "import os\ndef say(text): os.write(int(os.environ['STEELYARD_CHANNEL']), text.encode() + b'\\n')\n"
LONG = '{"set": [{"int": "0x' + "f" * 9_000 + '"}]}'
PYTHON_FAKE = '"".join(\'{"call": %d, "returns": true}\\n\' % n for n in range(3))'


class Attack(NamedTuple):
    """An answer to a task, most often `add`, and how its check may end."""

    language: str
    name: str
    code: str
    kinds: tuple[Classification, ...] = (FAIL,)
    task: CallsTask = ADD


PYTHON = (
    Attack("python", "prints results", f"print({PYTHON_FAKE})\ndef add(a, b): return None"),
    Attack(
        "python",
        "writes results into the channel and leaves",
        f"import os\nos.write(int(os.environ['STEELYARD_CHANNEL']), {PYTHON_FAKE}.encode())\nos._exit(0)",
    ),
    Attack("python", "leaves at once", "import os\nos._exit(0)"),
    Attack(
        "python",
        "claims an infinite complex number, near any float",
        f'{SAY}say(\'{{"call": 0, "returns": {{"complex": [1e999, 0]}}}}\')\nos._exit(0)',
        task=ROOT,
    ),
    Attack("python", "is infinite", "def root(x): return complex('inf')", task=ROOT),
    Attack("python", "leaves by SystemExit", "raise SystemExit(0)"),
    Attack(
        "python",
        "answers twice by a fork",
        "import os\nos.fork()\ndef add(a, b): return a + b if a != 1 else 4",
    ),
    Attack(
        "python",
        "claims every value, one after the other",
        "import os\nfor v in range(-9, 9):\n    for n in range(3):\n        os.write(int(os.environ['STEELYARD_CHANNEL']), b'{\"call\": %d, \"returns\": %d}\\n' % (n, v))\ndef add(a, b): return a + b",
    ),
    Attack(
        "python",
        "looks for what is expected in its own process",
        "import re\ndef add(a, b):\n    found = [int(x) for x in re.findall(rb'returns\\W+(-?\\d+)', open('/proc/self/environ', 'rb').read() + open('/proc/1/cmdline', 'rb').read())]\n    return found[0] if found else None",
    ),
    Attack(
        "python",
        "equals everything",
        "class Any(int):\n    __eq__ = lambda s, o: True\n    __ne__ = lambda s, o: False\n    __hash__ = int.__hash__\ndef add(a, b): return Any(7)",
    ),
    Attack(
        "python",
        "is an object of no plain kind",
        "class Any:\n    __eq__ = lambda s, o: True\ndef add(a, b): return Any()",
    ),
    Attack("python", "returns a very long text", "def add(a, b): return 'x' * 8_000_000"),
    Attack("python", "returns a very long number", "def add(a, b): return 1 << 10_000_000"),
    Attack(
        "python",
        "returns a deep list",
        "import os\ndef add(a, b):\n    os.write(int(os.environ['STEELYARD_CHANNEL']), b'{\"call\": 0, \"returns\": ' + b'[' * 60_000 + b'\\n')\n    x = []\n    for _ in range(100_000): x = [x]\n    return x",
        (FAIL, CRASH),
    ),
    Attack(
        "python",
        "returns numbers that collide",
        "def add(a, b): return {n * (2**61 - 1): 1 for n in range(3_000)}",
    ),
    Attack(
        "python",
        "writes bytes that are no UTF-8",
        'import os\nos.write(int(os.environ[\'STEELYARD_CHANNEL\']), b\'\\xff\\xfe\\n{"call": 0, "returns": "\\xff"}\\n\')\ndef add(a, b): return None',
    ),
    Attack(
        "python",
        "writes a million lines",
        "import os\nfor _ in range(100): os.write(int(os.environ['STEELYARD_CHANNEL']), b'{}\\n' * 20_000)\ndef add(a, b): return a + b",
        (FAIL, CRASH),
    ),
    Attack(
        "python",
        "kills its parent",
        "import os\ndef add(a, b):\n    os.kill(os.getppid() or 1, 9)\n    return None",
        (FAIL, CRASH),
    ),
    Attack(
        "python",
        "replaces the driver",
        "import sys\nopen('driver.py', 'w').write('print(1)')\nsys.modules['__main__'].plain = lambda value: True\ndef add(a, b): return 7",
    ),
    Attack("python", "never ends", "def add(a, b):\n    while True: pass", (TIMEOUT,)),
    Attack(
        "python",
        "says that it does not build",
        'import os\nos.write(int(os.environ[\'STEELYARD_CHANNEL\']), b\'{"error": "build", "message": ""}\\n\')\nos._exit(0)',
    ),
    Attack(
        "python",
        "has a number without end in a set of a set",
        f"""{SAY}def groups(x):\n    say('{{"call": 0, "returns": {{"set": [{LONG}]}}}}')\n    os._exit(0)""",
        task=GROUPS,
    ),
    Attack(
        "python",
        "has a number without end in a key",
        f"""{SAY}def table(x):\n    say('{{"call": 0, "returns": {{"dict": [[{LONG}, 2]]}}}}')\n    os._exit(0)""",
        task=TABLE,
    ),
    Attack(
        "python",
        "raises half a character",
        f"""{SAY}def add(a, b):\n    say('{{"call": 0, "raises": ["\\\\ud800"], "message": "\\\\udfff"}}')\n    os._exit(0)""",
    ),
    Attack(
        "python",
        "has half a character in its type",
        "class Odd: pass\nOdd.__name__ = '\\ud800'\ndef add(a, b): return Odd()",
    ),
    Attack(
        "python",
        "is infinite by its exponent",
        f"""{SAY}def root(x):\n    say('{{"call": 0, "returns": 1e999}}')\n    os._exit(0)""",
        task=ROOT,
    ),
    Attack("python", "is not a number", "def root(x): return float('nan')", task=ROOT),
    Attack("python", "is a number in words", "def root(x): return '1.41421356'", task=ROOT),
    Attack("python", "is a list of what is expected", "def root(x): return [1.41421356]", task=ROOT),
    Attack(
        "python",
        "claims results for calls that there are not",
        f"""{SAY}for n in (-1, 3, 10**30, True, None, [0], "0"): say('{{"call": %s, "returns": 3}}' % str(n).lower())\ndef add(a, b): return 7""",
    ),
    Attack(
        "python",
        "brings a module that the driver imports",
        "# file: answer.py\ndef add(a, b): return 7\n```\n\n```python json.py\nimport os\nos.write(int(os.environ['STEELYARD_CHANNEL']), b'{\"error\": \"build\"}\\n')\nos._exit(0)",
    ),
    Attack("python", "is not there", "def sub(a, b): return a - b"),
    Attack(
        "python",
        "raises what is not plain",
        "class E(BaseException):\n    __str__ = lambda s: 1 / 0\ndef add(a, b): raise E()",
    ),
)


def _script(language: str) -> tuple[Attack, ...]:
    typed = ": number" if language == "typescript" else ""
    head = (
        "declare const process: any; declare function require(name: string): any;\n"
        if language == "typescript"
        else ""
    )
    wrong = f"export function add(a{typed}, b{typed}){typed} {{ return 7 }}\n"
    fs = "const fs = process.getBuiltinModule('fs');\n"
    channel = "Number(process.env.STEELYARD_CHANNEL)"
    return (
        Attack(language, "prints results", f'{head}process.stdout.write("{FAKE}");\n{wrong}'),
        Attack(
            language,
            "writes results into the channel and leaves",
            f'{head}{fs}fs.writeSync({channel}, "{FAKE}");\nprocess.exit(0);\n{wrong}',
        ),
        Attack(language, "leaves at once", f"{head}process.exit(0);\n{wrong}"),
        Attack(
            language,
            "answers twice",
            f'{head}{fs}fs.writeSync({channel}, "{{\\"call\\":0,\\"returns\\":3}}\\n");\nexport function add(a{typed}, b{typed}) {{ return a + b }}\n',
        ),
        Attack(
            language,
            "has a toJSON of its own",
            f"{head}(Number.prototype as any).toJSON = () => 3;\n{wrong}"
            if typed
            else f"Number.prototype.toJSON = () => 3;\n{wrong}",
        ),
        Attack(
            language,
            "returns a very long text",
            f"{head}export function add(a{typed}, b{typed}) {{ return 'x'.repeat(8_000_000) }}\n",
        ),
        Attack(
            language,
            "returns itself within itself",
            f"{head}export function add(a{typed}, b{typed}) {{ const x{': any[]' if typed else ''} = []; x.push(x); return x }}\n",
        ),
        Attack(
            language,
            "kills its parent",
            f"{head}export function add(a{typed}, b{typed}) {{ process.kill(process.ppid || 1, 'SIGKILL'); return 7 }}\n",
            (FAIL, CRASH),
        ),
        Attack(language, "replaces the driver", f"{head}{fs}fs.writeFileSync('driver.mjs', '');\n{wrong}"),
        Attack(
            language,
            "never ends",
            f"{head}export function add(a{typed}, b{typed}) {{ for (;;); }}\n",
            (TIMEOUT,),
        ),
    )


C_HEAD = (
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <signal.h>\n#include <unistd.h>\n"
)
C_WRONG = "long long add(long long a, long long b) { return 7; }\n"


def _c(language: str) -> tuple[Attack, ...]:
    def before(
        name: str, code: str, *, rest: str = C_WRONG, kinds: tuple[Classification, ...] = (FAIL,)
    ) -> Attack:
        return Attack(
            language,
            name,
            f"{C_HEAD}__attribute__((constructor)) static void first(void) {{ {code} }}\n{rest}",
            kinds,
        )

    def within(name: str, code: str, *, kinds: tuple[Classification, ...] = (FAIL,)) -> Attack:
        return Attack(
            language, name, f"{C_HEAD}long long add(long long a, long long b) {{ {code} return 7; }}\n", kinds
        )

    write = f'const char *s = "{FAKE}"; write(atoi(getenv("STEELYARD_CHANNEL")), s, strlen(s));'
    return (
        before("prints results", f'printf("{FAKE}"); fflush(stdout);'),
        before("writes results into the channel and leaves", f"{write} _exit(0);"),
        before("leaves at once", "_exit(0);"),
        before("answers twice", f"{write}", rest=C_WRONG.replace("7", "a + b")),
        before("answers twice by a fork", "fork();", rest=C_WRONG.replace("7", "a == 1 ? 4 : a + b")),
        within(
            "reads a result that is not there",
            'char text[4096] = {0}; FILE *f = fopen("/proc/self/cmdline", "r"); fread(text, 1, 4095, f); if (strstr(text, "returns")) return 3;',
        ),
        within(
            "writes without end",
            'char text[4096]; memset(text, 120, 4096); for (;;) write(atoi(getenv("STEELYARD_CHANNEL")), text, 4096);',
            kinds=(CRASH, TIMEOUT),
        ),
        within("kills its parent", "kill(getppid() ? getppid() : 1, 9);", kinds=(FAIL, CRASH)),
        within("removes its own program", 'unlink("calls");'),
        within("reads where nothing is", "return *(volatile int *)0;", kinds=(CRASH,)),
        within("never ends", "for (volatile int i = 0;; i++);", kinds=(TIMEOUT,)),
    )


RUST_FAKE = f'"{FAKE}"'
RUST_WRONG = "pub fn add(a: i64, b: i64) -> i64 { 7 }\n"
RUST_CHANNEL = 'use std::io::Write; use std::os::fd::FromRawFd; let mut c = unsafe { std::fs::File::from_raw_fd(std::env::var("STEELYARD_CHANNEL").unwrap().parse().unwrap()) };'


def _rust(name: str, code: str, *kinds: Classification) -> Attack:
    return Attack("rust", name, f"pub fn add(a: i64, b: i64) -> i64 {{ {code} 7 }}\n", kinds or (FAIL,))


RUST = (
    _rust("prints results", f'print!("{{}}", {RUST_FAKE});'),
    _rust(
        "writes results into the channel and leaves",
        f"{RUST_CHANNEL} c.write_all({RUST_FAKE}.as_bytes()).unwrap(); std::process::exit(0);",
    ),
    _rust("leaves at once", "std::process::exit(0);"),
    _rust("closes the channel", f"{RUST_CHANNEL} drop(c);", FAIL, CRASH),
    Attack(
        "rust",
        "is a type that equals everything",
        "#[derive(Debug)] pub struct Any; impl<T> PartialEq<T> for Any { fn eq(&self, _: &T) -> bool { true } }\npub fn add(a: i64, b: i64) -> Any { Any }\n",
        (BUILD,),
    ),
    Attack(
        "rust",
        "writes its own result",
        'pub struct Any;\nimpl steelyard_driver::ToData for Any { fn write(&self, out: &mut String) { out.push_str("true}\\n{\\"call\\":1,\\"returns\\":-3") } }\npub fn add(a: i64, b: i64) -> Any { Any }\n',
    ),
    Attack(
        "rust",
        "returns a very long text",
        'pub fn add(a: i64, b: i64) -> String { "x".repeat(8_000_000) }\n',
    ),
    _rust(
        "uses up the stack",
        "fn deep(n: u64) -> u64 { if n == u64::MAX { 0 } else { 1 + deep(std::hint::black_box(n + 1)) } } return deep(0) as i64;",
        CRASH,
    ),
    _rust("removes its own program", 'std::fs::remove_file("calls").ok();'),
    _rust("aborts", "std::process::abort();", CRASH),
    _rust("never ends", "loop { std::hint::black_box(0); }", TIMEOUT),
)


def _go(name: str, code: str, *kinds: Classification, imports: str = '"os"') -> Attack:
    return Attack(
        "go",
        name,
        f"package answer\nimport ({imports})\nvar _ = os.Args\nfunc add(a, b int) int {{ {code}; return 7 }}\n",
        kinds or (FAIL,),
    )


GO = (
    _go("prints results", f'os.Stdout.WriteString("{FAKE}")'),
    _go(
        "writes results into the channel and leaves",
        f'n, _ := strconv.Atoi(os.Getenv("STEELYARD_CHANNEL")); os.NewFile(uintptr(n), "").WriteString("{FAKE}"); os.Exit(0)',
        imports='"os"; "strconv"',
    ),
    Attack(
        "go",
        "leaves at once",
        'package answer\nimport "os"\nfunc init() { os.Exit(0) }\nfunc add(a, b int) int { return a + b }\n',
    ),
    Attack(
        "go",
        "returns what panics when it is read",
        "package answer\nfunc add(a, b int) interface{} { return func() {} }\n",
    ),
    Attack(
        "go",
        "returns itself within itself",
        "package answer\nfunc add(a, b int) interface{} { x := []interface{}{nil}; x[0] = x; return x }\n",
        (FAIL, CRASH),
    ),
    Attack(
        "go",
        "returns a very long text",
        'package answer\nimport "strings"\nfunc add(a, b int) string { return strings.Repeat("x", 8_000_000) }\n',
    ),
    _go("kills its parent", "p, _ := os.FindProcess(os.Getppid()); p.Kill()", FAIL, CRASH),
    _go("removes its own program", 'os.Remove("calls.test")'),
    _go("never ends", "for {}", TIMEOUT),
)


def _java(name: str, code: str, *kinds: Classification, kind: str = "long") -> Attack:
    body = f"public class Sum {{ public static {kind} add(long a, long b) throws Exception {{ {code} }} }}\n"
    return Attack("java", name, body, kinds or (FAIL,))


OUT = "new java.io.FileOutputStream(java.io.FileDescriptor.out)"
JAVA = (
    _java("prints results", f'System.out.print("{FAKE}"); return 7;'),
    _java(
        "writes results into the channel and leaves",
        f'{OUT}.write("{FAKE}".getBytes()); Runtime.getRuntime().halt(0); return 7;',
    ),
    _java("leaves at once", "System.exit(0); return 7;"),
    _java("answers twice", f'{OUT}.write("{{\\"call\\":0,\\"returns\\":3}}\\n".getBytes()); return a + b;'),
    _java(
        "equals everything",
        "return new Object() { public boolean equals(Object o) { return true; } };",
        kind="Object",
    ),
    _java(
        "returns itself within itself",
        "java.util.List<Object> x = new java.util.ArrayList<>(); x.add(x); return x;",
        FAIL,
        CRASH,
        kind="Object",
    ),
    _java("returns a very long text", 'return "x".repeat(8_000_000);', kind="String"),
    _java(
        "removes the classes",
        'for (java.io.File f : new java.io.File("classes").listFiles()) f.delete(); return 7;',
    ),
    _java("never ends", "for (;;) Thread.onSpinWait();", TIMEOUT),
)
ATTACKS = (*PYTHON, *_script("javascript"), *_script("typescript"), *_c("c"), *_c("cpp"), *RUST, *GO, *JAVA)
