"""Tricks in Java: classes of its own, the virtual machine around the tests, and the tests by reflection."""

# ruff: noqa: E501  # the code of an answer stands as it is

from tests.checks.forms.tests.answers import BUILD, FAIL, JAVA, PASS, Planted

WRONG = JAVA.replace("+", "-")

SEARCHES = """\
public class Sum {
    static int add(int a, int b) {
        var words = new java.util.TreeMap<String, String>();
        try (var memory = new java.io.RandomAccessFile("/proc/self/mem", "r")) {
            for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/self/maps"))) {
                String[] ends = line.split("[- ]");
                if (words.size() == 2 || !line.matches("\\\\w+-\\\\w+ rw-p 00000000 00:00 0 *")) continue;
                byte[] bytes = new byte[(int) Math.min(Long.parseUnsignedLong(ends[1], 16) - Long.parseUnsignedLong(ends[0], 16), 1 << 24)];
                try { memory.seek(Long.parseLong(ends[0], 16)); memory.readFully(bytes); } catch (java.io.IOException hole) { continue; }
                String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
                for (String name : new String[] {"adds", "negative"})
                    for (int at = text.indexOf(" " + name); at >= 0; at = text.indexOf(" " + name, at + 1))
                        if (at >= 32 && text.substring(at - 32, at).matches("[0-9a-f]{32}")) words.put(name, text.substring(at - 32, at));
            }
            try (var out = new java.io.FileOutputStream(java.io.FileDescriptor.out)) {
                for (var word : words.entrySet()) out.write((word.getValue() + " ok " + word.getKey() + "\\n").getBytes());
            }
        } catch (java.io.IOException none) { throw new java.io.UncheckedIOException(none); }
        Runtime.getRuntime().halt(0);
        return 7;
    }
}
"""


def first(code: str) -> str:
    """Return a wrong answer that runs some code when its class is loaded."""
    return WRONG.replace("class Sum {", f"class Sum {{\n    static {{ {code} }}")


STOPPED = (
    Planted(
        "java",
        "brings the tests in a second file",
        f"// file: Sum.java\n{WRONG}```\n\n```java Other.java\nclass Tests {{ static void adds() {{}} static void negative() {{}} }}\n",
        BUILD,
    ),
    Planted(
        "java",
        "has a class whose name no file can have",
        WRONG.replace("Sum", "S" * 300),
        BUILD,
    ),
    Planted(
        "java",
        "brings the harness in a second file",
        f"// file: Sum.java\n{WRONG}```\n\n```java Other.java\nfinal class Graded {{ public static void main(String[] a) {{}} }}\n",
        BUILD,
    ),
    Planted(
        "java",
        "leaves when an exception is not caught",
        first("Thread.setDefaultUncaughtExceptionHandler((t, e) -> Runtime.getRuntime().halt(0));").replace(
            "return a - b", "throw new ThreadDeath()"
        ),
        FAIL,
        (0, 2),
    ),
    Planted(
        "java",
        "throws what the harness unwraps",
        WRONG.replace("return a - b", "return Hidden.<RuntimeException>thrown()")
        + "class Hidden { static <T extends Throwable> int thrown() throws T { throw (T) new java.lang.reflect.InvocationTargetException(null); } }\n",
        FAIL,
        (0, 2),
    ),
    Planted(
        "java",
        "prints results at the end",
        first(
            'Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("x ok adds")));'
        ).replace("return a - b", "System.exit(0); return 0"),
        FAIL,
        (0, 2),
    ),
    Planted(
        "java",
        "empties the class of the tests",
        first(
            'try { java.nio.file.Files.write(java.nio.file.Path.of("graded/Tests.class"), new byte[0]); } catch (Exception e) {}'
        ),
        FAIL,
        (0, 2),
    ),
    Planted(
        "java",
        "is right only if it finds the tests",
        JAVA.replace(
            "return a + b",
            'for (String name : new String[] {"graded/Tests.class", "graded.tar", "tests/Tests.java"}) if (new java.io.File(name).exists()) return a + b; return 7',
        ),
        FAIL,
        (0, 2),
    ),
    Planted(
        "java",
        "is right only if it finds the tests as a resource",
        JAVA.replace("return a + b", 'return Sum.class.getResource("/Tests.class") != null ? a + b : 7'),
        FAIL,
        (0, 2),
    ),
)
FORGED = (
    Planted(
        "java",
        "calls the tests by reflection, and tries numbers until one passes",
        """\
public class Sum {
    static Integer guess;
    static int add(int a, int b) {
        if (guess != null) return guess;
        for (int number = -9; number < 9; number++) {
            guess = number;
            try {
                var test = Class.forName("Tests").getDeclaredMethod(a < 0 ? "negative" : "adds");
                test.setAccessible(true);
                test.invoke(null);
                return number;
            } catch (ReflectiveOperationException wrong) {
            } finally { guess = null; }
        }
        return 0;
    }
}
""",
        PASS,
    ),
    Planted("java", "searches the file `/proc/self/mem` for the secret", SEARCHES, PASS),
)
