"""Options that are misspelt, out of range, or do not fit the outcomes."""

from tests.input.broken import Broken, of_options

BUILDS = "model,case,attempt,built,tests_passed,tests_failed,lint_warnings\na,c,0,True,3,1,2\n"
KINDS = "model,suite,case,attempt,classification\na,s1,c,0,pass\na,s2,d,0,refusal\n"
SCORES = "model,case,attempt,score\na,c,0,0.5\n"
TWO_SCORES = "model,case,attempt,passed,score\na,c,0,True,0.5\n"
FIXES = {"m_fixes.csv": "oid,iteration_id,plausible_fix\n1,1,True\n", "problems.csv": "oid\n1\n"}
PASS_AT_K = ("pass-at-k", "--problems-csv", "problems.csv", "--fixes-csv", "m_fixes.csv")
NO_NUMBER = "expected a number, got "

MAPPING = (
    of_options("a field that does not exist", "--map", "zzz=case", where="--map zzz=", says="the fields are"),
    of_options("a misspelt field", "--map", "modle=case", where="--map modle=", says="did you mean 'model'?"),
    of_options(
        "a column that does not exist",
        *("--map", "case=task"),
        where="outcomes.csv: no column 'task' for --map case=task",
        says="the columns are 'model', 'case', 'attempt', 'passed'",
    ),
    of_options("a mapping without =", "--map", "case", where="--map case: ", says="expected NAME=VALUE"),
    of_options(
        "a field mapped twice",
        *("--map", "case=model", "--map", "case=case"),
        where="--map case=case: ",
        says="duplicate name 'case'",
    ),
)

PASS_K = tuple(
    of_options(f"--pass-k {k!r}", "--pass-k", k, where="--pass-k: expected integers", says=f"got {got!r}")
    for k, got in (
        ("0", "0"),
        ("-1", "-1"),
        ("x", "x"),
        ("", ""),
        ("1.5", "1.5"),
        ("1,,5", ""),
        ("1 5", "1 5"),
        ("9" * 5000, "9" * 40 + "…"),
    )
)

WEIGHTS = (
    of_options(
        "weights that sum to 0",
        *("--weight", "build=0", "--weight", "tests=0", "--weight", "lint=0"),
        where="--weight: the weights of build, lint, tests",
        says="sum to 0",
        content=BUILDS,
    ),
    *(
        of_options(f"--weight {weight}", "--weight", weight, where=where, says=says, content=BUILDS)
        for weight, where, says in (
            ("build=-1", "--weight: weight 'build'", "must not be negative, got -1"),
            ("speed=1", "--weight speed: the rule 'build-test-lint'", "it has: build, lint, tests"),
            ("build=nan", "--weight build: ", NO_NUMBER + "'nan'"),
            ("build=inf", "--weight build: ", NO_NUMBER + "'inf'"),
            ("build=much", "--weight build: ", NO_NUMBER + "'much'"),
            ("build=1e999999999", "--weight build: ", NO_NUMBER + "'1e999999999'"),
        )
    ),
    *(
        of_options(
            f"--suite-weight {weight}", "--suite-weight", weight, where=where, says=says, content=KINDS
        )
        for weight, where, says in (
            ("zz=1", "--suite-weight: weights name suites that do not exist: zz", "the suites are s1, s2"),
            ("s1=-1", "--suite-weight: weight 's1'", "must not be negative"),
        )
    ),
    of_options(
        "suite weights that sum to 0",
        *("--suite-weight", "s1=0", "--suite-weight", "s2=0"),
        where="--suite-weight: the weights of s1, s2",
        says="sum to 0",
        content=KINDS,
    ),
)

RULES = (
    of_options(
        "an unknown rule", "--scoring", "best", where="--scoring best: ", says="build-test-lint, composite"
    ),
    *(
        of_options(
            f"the rule {rule} without its column",
            *("--scoring", rule),
            where=f"the rule '{rule}' needs a column '{column}'",
            says=f"--map {column}=COLUMN",
        )
        for rule, column in (
            ("build-test-lint", "built"),
            ("composite", "impl_rate"),
            ("accuracy", "classification"),
            ("given", "score"),
        )
    ),
    of_options(
        "a penalty for another rule", "--penalty", "refusal=0.5", where="--penalty ", says="'plausible'"
    ),
    *(
        of_options(f"--penalty {penalty}", "--penalty", penalty, where="--penalty", says=says, content=KINDS)
        for penalty, says in (
            ("rudeness=0.5", "choose from fail, build_error, timeout"),
            ("pass=0.5", "unknown failure"),
            ("refusal=2", "must lie between 0 and 1, got 2"),
        )
    ),
    *(
        of_options(
            f"--pass-score {score!r}",
            "--pass-score",
            score,
            where="--pass-score: ",
            says=says,
            content=SCORES,
        )
        for score, says in (
            ("0", "must be above 0 and at most 1, got 0"),
            ("1.5", "must be above 0 and at most 1, got 1.5"),
            ("-1", "must be above 0 and at most 1, got -1"),
            ("high", NO_NUMBER + "'high'"),
            ("nan", NO_NUMBER + "'nan'"),
            ("", NO_NUMBER + "''"),
        )
    ),
    of_options("--pass-score without scores", "--pass-score", "1", where="--pass-score ", says="'plausible'"),
    of_options(
        "--pass-score beside passes",
        *("--pass-score", "1"),
        where="--pass-score: the outcomes already say which samples passed",
        says="leave the option out",
        content=TWO_SCORES,
    ),
    of_options(
        "an unknown grade scale", "--grade-scale", "mild", where="--grade-scale mild", says="letters-95"
    ),
    of_options("half a latency score", "--latency-good", "1", where="a latency score", says="--latency-bad"),
    of_options(
        "latencies the wrong way round",
        *("--latency-good", "5", "--latency-bad", "1"),
        where="--latency-good must be from 0 to less than --latency-bad",
        says="got 5 and 1",
    ),
    of_options("an unknown format", "--format", "yaml", where="unknown format 'yaml'", says="markdown"),
)

USAGE = (
    of_options(
        "an unknown option", "--frob", where="No such option: --frob", says="'steelyard score --help'"
    ),
    of_options(
        "an unknown policy", "--missing", "never", where="Invalid value for '--missing'", says="'skip'"
    ),
    of_options("no threads", "--threads", "0", where="Invalid value for '--threads'", says="or equal to 1"),
    Broken(
        name="no outcomes at all",
        argv=("score",),
        where="error: Missing argument 'FILE...'",
        says=("--help",),
    ),
    Broken(
        name="an unknown command", argv=("weigh",), where="error: No such command 'weigh'", says=("--help",)
    ),
    Broken(
        name="no current report",
        argv=("compare", "--baseline", "a.json"),
        where="error: ",
        says=("--current",),
    ),
    *(
        Broken(
            name=f"--k-values {k}",
            files=FIXES,
            argv=(*PASS_AT_K, "--k-values", *k),
            where=where,
            says=(says,),
        )
        for k, where, says in (
            (("0",), "error: --k-values: ", "got '0'"),
            (("1", "x"), "error: --k-values: ", "got 'x'"),
            (("-1",), "error: --k-values: ", "got '-1'"),
            ((), "error: Option '--k-values'", "requires an argument"),
        )
    ),
)
