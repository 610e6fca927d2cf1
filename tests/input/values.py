"""CSV files in which some cell holds what its column cannot hold, or rows that contradict each other."""

from tests.input.broken import HEADER, OUTCOMES, ROW, Broken, of_file, of_value

FLAG = "expected true or false"
COUNT = "expected a whole number from 0"
SHARE = "expected a number from 0 to 1"
AMOUNT = "expected a number from 0 to 999999999"
KINDS = "expected one of pass, fail, build_error, timeout, crash, refusal"
BUILD_HEADER = "model,case,attempt,built,tests_passed,tests_failed\n"

FLAGS = tuple(
    of_file(f"passed = {value}", f"{HEADER}{ROW}a,c,1,{value}\n", ", row 2: column 'passed' is ", FLAG)
    for value in ("maybe", "2", "1.5", "tru e")
)

NUMBERS = (
    *(
        of_value("tokens_in", value, COUNT)
        for value in (
            "-1",
            "NaN",
            "1.5",
            "1" + "0" * 30,
            "0x10",
            "\uff11\uff12",
        )
    ),
    *(
        of_value("score", value, "expected a number from 0")
        for value in ("1.5", "-0.5", "Infinity", "1e5", "1e999999999", "50%")
    ),
    *(
        of_value("cost_usd", value, "expected a number from 0")
        for value in (
            "-0.01",
            "NaN",
            "1e308",
            "1$",
            "1_000",
            "2026-01-02",
        )
    ),
    *(of_value("latency_s", value, "expected a number from 0") for value in ("-3", "1e12")),
    *(of_value("latency_ms", value, "expected a number from 0") for value in ("1:30",)),
    *(of_value("impl_rate", value, SHARE) for value in ("1.5", "good")),
    *(of_value("cost_nano_usd", value, COUNT) for value in ("0.5",)),
    *(of_value("score_micro", value, "expected a") for value in ("1000001", "0.5")),
    *(of_value("classification", value, KINDS) for value in ("passed", "1")),
    of_file(
        "a judge's rating above 1 beside a score",
        "model,case,attempt,passed,score,impl_rate\na,c,0,True,1,1\na,c,1,True,1,1.5\n",
        ", row 2: column 'impl_rate' is '1.5'; ",
        SHARE,
    ),
    *(
        of_file(
            f"tests_passed = {value}",
            f"{BUILD_HEADER}a,c,0,True,{value},1\n",
            f", row 1: column 'tests_passed' is '{value}'; ",
            COUNT,
        )
        for value in ("-3", "1.5", "all")
    ),
    of_file(
        "a cost of 5 million digits",
        lambda: f"{HEADER.strip()},cost_usd\na,c,0,True,{'9' * 5_000_000}\n",
        ", row 1: column 'cost_usd' is '9999",
        "… (5000000 characters)",
        AMOUNT,
    ),
    of_file(
        "a flag of 5 million characters",
        lambda: f"{HEADER}a,c,0,{'y' * 5_000_000}\n",
        ", row 1: column 'passed' is 'yyyy",
        "… (5000000 characters)",
        FLAG,
    ),
)

NAMES = (
    of_file(
        "an empty case", f"{HEADER}{ROW}a,,1,True\n", ", row 2: column 'case' is empty; ", "needs a case"
    ),
    of_file("an empty model", f"{HEADER}{ROW},c,1,True\n", ", row 2: column 'model' is empty; ", "a model"),
    of_file(
        "an empty attempt", f"{HEADER}{ROW}a,c,,True\n", ", row 2: column 'attempt' is empty; ", "number"
    ),
    *(
        of_file(
            f"an empty {column}",
            f"model,{column},case,attempt,passed\na,x,c,0,True\na,,c,1,True\n",
            f", row 2: column '{column}' is empty; ",
            f"every row needs a {column}",
        )
        for column in ("tier", "suite")
    ),
)

CONTRADICTIONS = (
    of_file(
        "a refusal that passed",
        "model,case,attempt,classification,passed\na,c,0,pass,True\na,c,1,refusal,True\n",
        ", row 2: column 'classification' is 'refusal'; ",
        "but passed is true in the same row; fix one of them",
    ),
    of_file(
        "a pass that failed",
        "model,case,attempt,classification,passed\na,c,0,pass,False\n",
        ", row 1: column 'classification' is 'pass'; ",
        "but passed is false",
    ),
    of_file(
        "an attempt claimed twice",
        f"{HEADER}{ROW}a,c,0,False\n",
        ", row 1 and outcomes.csv, row 2: both claim attempt 0 of case 'c' by 'a', and they disagree",
        "--duplicates first",
        "--duplicates last",
    ),
    of_file(
        "an attempt claimed as 1 and as 01",
        f"{HEADER}a,c,1,True\na,c,01,False\n",
        ", row 1 and outcomes.csv, row 2: both claim attempt 1",
        "they disagree",
    ),
    Broken(
        name="an attempt claimed in two files",
        files={"one.csv": HEADER + ROW, "two.csv": HEADER + "a,d,0,True\na,c,0,False\n"},
        argv=("score", "one.csv", "two.csv"),
        where="error: one.csv, row 1 and two.csv, row 2: both claim attempt 0 of case 'c'",
        says=("they disagree", "--duplicates first (keep the earlier row)"),
    ),
    Broken(
        name="two digests for one case",
        files={OUTCOMES: "model,case,attempt,digest,passed\na,c,0,d1,True\na,c,1,d2,True\n"},
        where="error: ",
        says=("has two digests", "two different cases share one id"),
    ),
)
