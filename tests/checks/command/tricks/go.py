"""Tricks in Go: the flags and the entry of the tests, predeclared names, and files of its own."""

# ruff: noqa: E501  # the code of an answer stands as it is

from tests.checks.command.answers import BUILD, FAIL, GO, POLICY, Planted

WRONG = GO.replace("+", "-")


def with_more(name: str, text: str) -> str:
    """Return a wrong answer with a second file."""
    return f"// file: sums.go\n{WRONG}```\n\n```go {name}\n{text}"


STOPPED = (
    Planted(
        "go",
        "sets the flags of the tests",
        WRONG.replace(
            "sums\n",
            'sums\n\nimport "flag"\n\nfunc init() { flag.Set("test.skip", ".*"); flag.Set("test.run", "^$") }\n',
        ),
        FAIL,
        (0, 2),
    ),
    Planted(
        "go",
        "brings the entry of the tests",
        WRONG.replace("sums\n", 'sums\n\nimport "testing"\n\nfunc TestMain(m *testing.M) {}\n'),
        BUILD,
    ),
    Planted(
        "go",
        "brings a test of a graded name",
        with_more("own_test.go", 'package sums\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {}\n'),
        FAIL,
        (0, 2),
    ),
    Planted(
        "go",
        "hides predeclared names",
        "package sums\n\nfunc panic(x any) {}\nfunc len(x any) bool { return true }\ntype int struct{}\n\nfunc Add(a, b any) any { return nil }\n",
        FAIL,
    ),
    Planted(
        "go",
        "changes what true is",
        "package sums\n\ntype my int8\n\nconst true = 1 == 2\n\nfunc Add(a, b int) my { return 7 }\n",
        FAIL,
    ),
    Planted(
        "go",
        "ends the routine of its test",
        'package sums\n\nimport "runtime"\n\nfunc Add(a, b int) int { runtime.Goexit(); return 0 }\n',
        FAIL,
    ),
    Planted(
        "go",
        "embeds the tests",
        with_more(
            "more.go",
            'package sums\n\nimport _ "embed"\n\n//go:embed graded_test.go\nvar tests string\n\nfunc init() { panic(tests) }\n',
        ),
        POLICY,
    ),
)
