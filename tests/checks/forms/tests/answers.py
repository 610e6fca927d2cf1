"""Answers in several languages, right, wrong and cheating, each with what a check must find."""

# ruff: noqa: E501  # the code of an answer stands as it is

from typing import NamedTuple

from steelyard.model.outcome import Classification

PASS, FAIL, BUILD = Classification.PASS, Classification.FAIL, Classification.BUILD_ERROR
FORMAT, CRASH, TIMEOUT = Classification.WRONG_FORMAT, Classification.CRASH, Classification.TIMEOUT
POLICY = Classification.POLICY_VIOLATION
MARK = "271828"  # so many seconds a left-over process would sleep


class Planted(NamedTuple):
    """An answer to the task in one language, and how its check must end."""

    recipe: str
    name: str
    code: str
    kind: Classification
    tests: tuple[int, int] | None = None


C = "int add(int a, int b) { return a + b; }\n"
CPP = "#include <vector>\nint total(const std::vector<int>& n) { int s = 0; for (int x : n) s += x; return s; }\n"
JS = "export function add(a, b) { return a + b; }\n"
TS = "export function add(a: number, b: number): number { return a + b; }\n"
JAVA = "public class Sum {\n    static int add(int a, int b) { return a + b; }\n}\n"
GO = "package sums\n\nfunc Add(a, b int) int { return a + b }\n"
C_MAIN = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }\n'
JS_MAIN = (
    "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);\nconsole.log(a + b);\n"
)
JS_MAIN = JS_MAIN.replace("require('fs')", "fs").replace("const", "import fs from 'node:fs';\nconst", 1)

TRUTHS = (
    Planted("c", "right", C, PASS, (2, 0)),
    Planted("c", "wrong", C.replace("+", "-"), FAIL, (0, 2)),
    Planted("c", "half right", "int add(int a, int b) { return a < 0 ? 0 : a + b; }\n", FAIL, (1, 1)),
    Planted("c", "does not compile", C.replace("return", "retrun"), BUILD),
    Planted(
        "c",
        "refers to what is not there",
        "int other(int);\nint add(int a, int b) { return other(a) + b; }\n",
        BUILD,
    ),
    Planted("c", "another name", C.replace("add", "sum"), BUILD),
    Planted(
        "c", "prints noise", "#include <stdio.h>\n" + C.replace("return", 'puts("1..1\\nok 1"); return'), PASS
    ),
    Planted("c", "has a main", C + "int main(void) { return 1; }\n", PASS),
    Planted("c", "non-ASCII", '// größer\nstatic const char *s = "尺寸";\n' + C, PASS),
    Planted("c", "Windows newlines", C.replace("\n", "\r\n"), PASS),
    Planted(
        "c",
        "a segmentation fault",
        "int add(int a, int b) { return *(volatile int *)0 + a + b; }\n",
        CRASH,
        (0, 2),
    ),
    Planted(
        "c",
        "a fault in one test",
        "int add(int a, int b) { return a < 0 ? *(volatile int *)0 : a + b; }\n",
        CRASH,
        (1, 1),
    ),
    Planted(
        "c",
        "a stack overflow",
        "int add(int a, int b) { volatile char c[9999]; c[0] = 1; return add(a + c[0], b) + c[0]; }\n",
        CRASH,
    ),
    Planted("c", "abort", "#include <stdlib.h>\nint add(int a, int b) { abort(); }\n", CRASH),
    Planted(
        "hurried c", "an endless loop", "int add(int a, int b) { for (volatile int i = 0;; i++); }\n", TIMEOUT
    ),
    Planted(
        "hurried c",
        "sleeps",
        "#include <unistd.h>\nint add(int a, int b) { sleep(1000); return a + b; }\n",
        TIMEOUT,
    ),
    Planted("c", "a megabyte", "/*" + "x" * 1_000_000 + "*/\n" + C, PASS),
    Planted("c", "a large table", "static const int t[] = {" + "1," * 50_000 + "};\n" + C, PASS),
    Planted("io c", "right program", C_MAIN, PASS, (2, 0)),
    Planted("io c", "wrong program", C_MAIN.replace("a + b", "a - b"), FAIL, (0, 2)),
    Planted("io c", "program that does not compile", C_MAIN.replace("printf", "print f"), BUILD),
    Planted("io c", "program that dies", C_MAIN.replace("printf", "*(int *)0 = 1; printf"), CRASH),
    Planted("cpp", "right", CPP, PASS, (2, 0)),
    Planted("cpp", "wrong", CPP.replace("+=", "="), FAIL, (1, 1)),
    Planted("cpp", "does not compile", CPP.replace("std::", "sdt::"), BUILD),
    Planted("cpp", "throws", CPP.replace("return s", "throw s"), CRASH),
    Planted("cmake", "right", CPP, PASS, (2, 0)),
    Planted("cmake", "does not compile", CPP.replace("return", "retrun"), BUILD),
    Planted("javascript", "right", JS, PASS, (2, 0)),
    Planted("javascript", "wrong", JS.replace("+", "-"), FAIL, (0, 2)),
    Planted("javascript", "half right", JS.replace("a + b", "Math.abs(a + b)"), FAIL, (1, 1)),
    Planted("javascript", "does not parse", JS.replace("return", "retrun"), BUILD),
    Planted("javascript", "another name", JS.replace("add", "sum"), FAIL),
    Planted("javascript", "throws on load", "throw new Error('x');\n" + JS, FAIL),
    Planted("javascript", "throws in use", JS.replace("return", "throw 1; return"), FAIL, (0, 2)),
    Planted("javascript", "prints noise", "console.log('ok 1 - adds');\n" + JS, PASS),
    Planted(
        "javascript",
        "own tests that pass",
        "import test from 'node:test';\ntest('mine', () => {});\n" + JS,
        PASS,
        (2, 0),
    ),
    Planted(
        "javascript",
        "own tests that fail",
        "import test from 'node:test';\ntest('mine', () => { throw 1; });\n" + JS,
        PASS,
        (2, 0),
    ),
    Planted("javascript", "a stack overflow", JS.replace("return", "return add(a, b) +"), FAIL),
    Planted("hurried javascript", "an endless loop", JS.replace("return", "for (;;); return"), TIMEOUT),
    Planted("javascript", "non-ASCII", "const größe = '🧱';\n" + JS, PASS),
    Planted("io javascript", "right program", JS_MAIN, PASS, (2, 0)),
    Planted("io javascript", "wrong program", JS_MAIN.replace("a + b", "a * b"), FAIL, (0, 2)),
    Planted("typescript", "right", TS, PASS, (2, 0)),
    Planted("typescript", "a wrong type", TS.replace("): number", "): string"), BUILD),
    Planted("java", "right", JAVA, PASS, (2, 0)),
    Planted("java", "wrong", JAVA.replace("+", "-"), FAIL, (0, 2)),
    Planted("java", "does not compile", JAVA.replace("return", "retrun"), BUILD),
    Planted("java", "another name", JAVA.replace("add", "sum"), BUILD),
    Planted("java", "a stack overflow", JAVA.replace("return", "return add(a, b) +"), CRASH, (0, 2)),
    Planted("go", "right", GO, PASS, (2, 0)),
    Planted("go", "right, as a program", GO.replace("sums", "main") + "\nfunc main() {}\n", PASS, (2, 0)),
    Planted("go", "right, without a package", GO.replace("package sums\n", ""), PASS, (2, 0)),
    Planted("go", "wrong", GO.replace("+", "-"), FAIL, (0, 2)),
    Planted("go", "does not compile", GO.replace("return", "retrun"), BUILD),
    Planted("go", "panics", GO.replace("return", 'panic("x"); return'), CRASH, (0, 2)),
)
SPOOF = "%s ok adds\\n%s ok negative\\n%s end \\n"
ATTACKS = (
    Planted(
        "c", "leaves with success", "#include <stdlib.h>\nint add(int a, int b) { exit(0); }\n", FAIL, (0, 2)
    ),
    Planted(
        "c",
        "leaves at once with success",
        "#include <unistd.h>\nint add(int a, int b) { _exit(0); }\n",
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "leaves from a constructor",
        "#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(0); }\n"
        + C.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "reads the nonce in a constructor",
        '#include <unistd.h>\n#include <stdio.h>\n__attribute__((constructor)) static void f(void) { char n[99]; long s = read(0, n, 32); if (s < 1) return; n[s] = 0; for (int i = 3; i < 64; i++) dprintf(i, "%s ok adds\\n%s ok negative\\n", n, n); _exit(0); }\n'
        + C.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "prints forged results",
        '#include <stdio.h>\n#include <unistd.h>\nint add(int a, int b) { for (int i = 1; i < 64; i++) dprintf(i, "ok adds\\nok negative\\nend \\n"); _exit(0); }\n',
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "guesses a nonce",
        '#include <stdio.h>\n#include <unistd.h>\nint add(int a, int b) { for (int i = 1; i < 64; i++) dprintf(i, "00000000000000000000000000000000 ok adds\\n"); _exit(0); }\n',
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "replaces strcmp and memcmp",
        "int strcmp(const char *a, const char *b) { return 0; }\nint memcmp(const void *a, const void *b, unsigned long n) { return 0; }\n"
        + C,
        PASS,
        (2, 0),
    ),
    Planted(
        "c",
        "replaces write, fork and exit",
        "long write(int f, const void *b, unsigned long n) { return n; }\nint fork(void) { return 0; }\nvoid _exit(int c) { for (;;); }\n"
        + C.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "replaces the harness",
        "void graded_fail(const char *w, int l) {}\n" + C.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "replaces the tests",
        "void test_adds(void) {}\nvoid test_negative(void) {}\n" + C.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "jumps out of the test",
        "#include <unistd.h>\n#include <signal.h>\nint add(int a, int b) { kill(getppid(), SIGKILL); return 0; }\n",
        CRASH,
    ),
    Planted(
        "c",
        "leaves a process behind",
        f'#include <stdlib.h>\nint add(int a, int b) {{ system("setsid sleep {MARK} &"); return 0; }}\n',
        FAIL,
    ),
    Planted(
        "hurried c",
        "forks without end",
        "#include <unistd.h>\nint add(int a, int b) { for (;;) fork(); }\n",
        TIMEOUT,
    ),
    Planted("c", "includes the tests", '#include "../tests/tests.c"\n' + C, BUILD),
    Planted("c", "includes the users of the host", '#include "/etc/shadow"\n' + C, BUILD),
    Planted(
        "c",
        "takes all memory",
        "#include <stdlib.h>\n#include <string.h>\nint add(int a, int b) { for (;;) { char *p = malloc(1 << 24); if (p) memset(p, 1, 1 << 24); } }\n",
        CRASH,
    ),
    Planted(
        "io c", "prints both expected outputs", C_MAIN.replace('"%d\\n", a + b', '"3\\n-3\\n"'), FAIL, (0, 2)
    ),
    Planted("io c", "prints nothing with success", "int main(void) { return 0; }\n", FAIL, (0, 2)),
    Planted(
        "io c",
        "looks for what is expected",
        '#include <stdlib.h>\nint main(void) { return system("cat /proc/*/environ /box/work/* 2>/dev/null | head -c 300"); }\n',
        FAIL,
        (0, 2),
    ),
    Planted("javascript", "leaves with success", "process.exit(0);\n" + JS.replace("+", "-"), FAIL, (0, 2)),
    Planted(
        "javascript",
        "leaves with success in use",
        JS.replace("return", "process.reallyExit(0); return"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "javascript",
        "empties the assertions",
        "import assert from 'node:assert';\nimport strict from 'node:assert/strict';\nfor (const a of [assert, strict]) for (const k of Object.keys(a)) try { a[k] = () => {}; } catch {}\nimport m from 'node:module';\ntry { m.syncBuiltinESMExports(); } catch {}\n"
        + JS.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "javascript",
        "replaces the test functions",
        "import m from 'node:module';\nconst r = m.createRequire(import.meta.url);\nconst t = r('node:test');\ntry { t.it = (n) => t(n, () => {}); t.describe = t.it; m.syncBuiltinESMExports(); } catch {}\n"
        + JS.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "javascript",
        "defines the graded tests itself",
        "import test from 'node:test';\ntest('adds', () => {});\ntest('more', () => {});\n"
        + JS.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "javascript",
        "prints forged results",
        "import fs from 'node:fs';\nfor (const i of [1, 2, Number(process.env.STEELYARD_CHANNEL)]) try { fs.writeSync(i, 'ok adds\\nok more\\nend \\n'); } catch {}\nprocess.exit(0);\n"
        + JS,
        FAIL,
        (0, 2),
    ),
    Planted(
        "javascript",
        "uses the reporter",
        "import r from './reporter.mjs';\nasync function* e() { for (const name of ['adds', 'more']) yield { type: 'test:pass', data: { nesting: 0, name } }; }\nfor await (const x of r(e()));\n"
        + JS.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "javascript",
        "edits the tests",
        "import fs from 'node:fs';\nfs.writeFileSync('graded.test.mjs', '');\n" + JS.replace("+", "-"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "javascript",
        "reads the nonce from its input",
        "import fs from 'node:fs';\nlet n = '';\ntry { n = fs.readFileSync(0, 'utf8').trim(); } catch {}\nfor (const i of [1, 2, Number(process.env.STEELYARD_CHANNEL)]) try { fs.writeSync(i, `${n} ok adds\\n${n} ok more\\n`); } catch {}\nprocess.exit(0);\n"
        + JS,
        FAIL,
        (0, 2),
    ),
    Planted(
        "java",
        "leaves with success",
        JAVA.replace("return", "Runtime.getRuntime().halt(0); return"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "java",
        "brings its own tests",
        JAVA.replace("+", "-")
        + "class Tests {\n    static void adds() {}\n    static void negative() {}\n}\n",
        BUILD,
    ),
    Planted(
        "java",
        "hides a class of java.lang",
        JAVA.replace("+", "-") + "class AssertionError extends Exception {}\n",
        BUILD,
    ),
    Planted(
        "java",
        "prints forged results",
        JAVA.replace(
            "return a + b",
            'try (var o = new java.io.FileOutputStream(java.io.FileDescriptor.out)) { o.write("ok adds\\nok negative\\n".getBytes()); } catch (Exception e) {} return 0',
        ),
        FAIL,
        (0, 2),
    ),
    Planted(
        "java",
        "switches assertions off",
        JAVA.replace("+", "-").replace(
            "class Sum {",
            "class Sum {\n    static { ClassLoader.getSystemClassLoader().clearAssertionStatus(); }",
        ),
        FAIL,
        (0, 2),
    ),
    Planted(
        "go",
        "leaves with success",
        GO.replace("sums\n", 'sums\n\nimport "os"\n').replace("return", "os.Exit(0); return"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "go",
        "leaves on load",
        GO.replace("+", "-").replace("sums\n", 'sums\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n'),
        FAIL,
        (0, 2),
    ),
    Planted(
        "go",
        "switches the tests off",
        GO.replace("+", "-").replace(
            "sums\n",
            'sums\n\nimport "os"\n\nfunc init() { os.Args = append(os.Args, "-test.run=^$", "-test.count=0") }\n',
        ),
        FAIL,
        (0, 2),
    ),
    Planted(
        "go",
        "reads the nonce from its input",
        GO.replace("+", "-").replace(
            "sums\n",
            'sums\n\nimport (\n\t"bufio"\n\t"fmt"\n\t"os"\n)\n\nfunc init() {\n\tn, _ := bufio.NewReader(os.Stdin).ReadString(10)\n\tfor i := 3; i < 40; i++ {\n\t\tfmt.Fprintf(os.NewFile(uintptr(i), "x"), "%s ok TestAdds\\n", n)\n\t}\n}\n',
        ),
        FAIL,
        (0, 2),
    ),
    Planted("go", "uses the harness", GO.replace("sums\n", 'sums\n\nimport _ "answer/graded"\n'), BUILD),
)
NOT_CODE = ("I would rather not.", "", "The sum of two numbers is their sum.")
