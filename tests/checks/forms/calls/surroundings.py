"""Usual answers that lean on what is around them: a package, a class, the names of node."""

from tests.checks.forms.calls.idioms import Idiom

SURROUNDINGS = {
    "the file of a script": Idiom(
        "javascript",
        "f",
        (1,),
        ["answer.mjs", True],
        "const path = require('path');\nfunction f(one) {\n"
        "  return [path.basename(__filename), path.dirname(__filename) === __dirname];\n}\n"
        "module.exports = { f };",
    ),
    "methods of ES2023": Idiom(
        "typescript",
        "f",
        ([3, 1],),
        [[1, 3], [1, 3], [3, 7], 3],
        "export function f(a: readonly number[]): unknown[] {\n"
        "  return [a.toSorted(), a.toReversed(), a.with(1, 7), a.findLast((one) => one > 1)];\n}",
    ),
    "an error of TypeScript with its trace": Idiom(
        "typescript",
        "f",
        ("a",),
        "a",
        "class Wrong extends Error {\n  constructor(message: string) {\n    super(message);\n"
        "    Error.captureStackTrace?.(this, Wrong);\n    Error.stackTraceLimit = 5;\n  }\n}\n"
        "export function f(text: string): string { return new Wrong(text).message; }",
    ),
    "timers of node in TypeScript": Idiom(
        "typescript",
        "f",
        (1,),
        1,
        "export function f(one: number): number {\n"
        "  const timer: NodeJS.Timeout = setTimeout(() => {}, 10);\n  timer.unref();\n"
        "  setInterval(() => {}, 10).unref();\n  clearTimeout(timer);\n  return one;\n}",
    ),
    "a bare function of Go": Idiom("go", "Twice", (2,), 4, "func Twice(n int) int { return 2 * n }"),
    "a bare function of Go that imports": Idiom(
        "go",
        "Upper",
        ("a",),
        "A",
        'import "strings"\n\n// Upper uses a package.\n'
        "func Upper(text string) string { return strings.ToUpper(text) }",
    ),
    "a bare method of Java": Idiom(
        "java", "twice", (2,), 4, "public static int twice(int n) { return 2 * n; }"
    ),
    "bare methods of Java that import": Idiom(
        "java",
        "twice",
        ([1, 2],),
        [2, 4],
        "import java.util.List;\n\n/** Doubles\n * each number of the class int.\n */\n"
        "public List<Integer> twice(List<Integer> all) { return all.stream().map(this::one).toList(); }\n\n"
        "private int one(int number) { return 2 * number; }  // the end",
    ),
    "an annotated type of Java": Idiom(
        "java",
        "twice",
        (2,),
        4,
        '@SuppressWarnings("unused") public class Calc { static int twice(int n) { return 2 * n; } }',
    ),
}
