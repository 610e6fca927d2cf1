"""Problem lists, reports and settings that cannot be read, or that do not fit each other."""

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import steelyard
from steelyard.render.json import JsonRenderer
from tests.input.broken import HEADER, OUTCOMES, ROW, Broken, Content

JSON = dict[str, Any]
COMPARE = ("compare", "--baseline", "baseline.json", "--current", "current.json")
CANNOT = "this report cannot be read"


@cache
def report_text(outcomes: str = HEADER + ROW) -> str:
    """Return the JSON report of some outcomes."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m_fixes.csv"
        path.write_text(outcomes, encoding="utf-8")
        return JsonRenderer().render(steelyard.score_files([path]))


def report(**changes: object) -> str:
    """Return a report with some keys changed."""
    return json.dumps({**json.loads(report_text()), **changes})


def changed_case(**changes: object) -> str:
    """Return a report whose only case says something else."""
    cases: list[JSON] = json.loads(report_text())["cases"]
    return report(cases=[{**cases[0], **changes}])


def of_problems(name: str, content: Content, where: str, *says: str, file: str = "problems.csv") -> Broken:
    """Return good outcomes beside a broken list of problems."""
    return Broken(
        name=f"problems: {name}",
        files={OUTCOMES: HEADER + ROW, file: content},
        argv=("score", OUTCOMES, "--problems", file),
        where=f"error: {file}{where}",
        says=says,
    )


def of_report(name: str, content: Content, *says: str) -> Broken:
    """Return a good baseline beside a current report that cannot be read."""
    return Broken(
        name=f"report: {name}",
        files={"baseline.json": report_text, "current.json": content},
        argv=COMPARE,
        where="error: current.json: ",
        says=says,
    )


PROBLEMS = (
    of_problems("an empty file", "", ": ", "is empty"),
    of_problems("a header only", "oid,filename\n", ": ", "lists no cases"),
    of_problems(
        "no column of names", "foo,bar\n1,2\n", ": ", "no column names the cases", "'case_id' or 'oid'"
    ),
    of_problems(
        "an empty name", "oid,filename\nc,a\n,b\n", ", row 2: column 'oid' is empty; ", "needs a case"
    ),
    of_problems("a ragged row", "oid,filename\nc,a\nd,b,c\n", ", line 3: ", "expected 2 columns"),
    of_problems("Latin-1", "oid,filename\né,a\n".encode("latin-1"), ", line 2: ", "is not UTF-8 text"),
    of_problems(
        "two columns of names", "oid,task_id\n1,2\n", ": columns 'oid' and 'task_id'", "--map case=task_id"
    ),
    of_problems("junk Parquet", "junk", ": ", "is not a whole Parquet file", file="problems.parquet"),
    of_problems("a JSON array", "[1]\n", ": ", "holds no JSON objects", file="problems.jsonl"),
    of_problems("an unknown suffix", "oid\nc\n", ": ", "unknown kind of file", file="problems.txt"),
    Broken(
        name="problems: no such file",
        files={OUTCOMES: HEADER + ROW},
        argv=("score", OUTCOMES, "--problems", "nowhere.csv"),
        where="error: nowhere.csv: no such file",
        says=(),
    ),
    Broken(
        name="problems: a missing case that must not be missing",
        files={OUTCOMES: HEADER + ROW, "problems.csv": "oid\nc\nd\n"},
        argv=("score", OUTCOMES, "--problems", "problems.csv", "--missing", "error"),
        where="error: a (T0): 1 expected case has no outcome: 'd'",
        says=("--missing fail or --missing skip",),
    ),
)

REPORTS = (
    of_report("empty", "", "not JSON", "line 1"),
    of_report("no JSON", "hello", "not JSON", "line 1 column 1"),
    of_report("a CSV file", HEADER + ROW, "not JSON"),
    of_report("a list", "[]", "found a list, expected an object"),
    of_report("a number", "1", "neither a log", "outcome file"),
    of_report("null", "null", "neither a log", "outcome file"),
    of_report("cut off", lambda: report_text()[:-500], "this is not JSON", "EOF while parsing"),
    of_report("too much at the end", lambda: report_text() + "x", "trailing characters"),
    of_report("UTF-16", lambda: report_text().encode("utf-16"), "not UTF-8 text"),
    of_report(
        "Latin-1", lambda: report(generator="X").replace("X", "é").encode("latin-1"), "this is not JSON"
    ),
    of_report("100,000 levels", "[" * 100_000, "nested too deeply"),
    of_report(
        "another version",
        lambda: report(schema="steelyard.report/99"),
        "steelyard.report/99",
        "reads steelyard.report/1",
    ),
    of_report(
        "a comparison",
        lambda: report(schema="steelyard.comparison/1"),
        "unsupported schema steelyard.comparison/1",
    ),
    of_report("no version", lambda: report_text().replace('"schema"', '"scheme"'), "there is no key schema"),
    of_report("an unknown key", lambda: report(frob=1), CANNOT, "frob: unknown key, found 1"),
    of_report("a missing key", lambda: report_text().replace('"cases": [', '"kases": [', 1), CANNOT),
    of_report("a wrong type", lambda: report(subjects=5), CANNOT, "subjects: found 5, expected a list"),
    of_report("100 empty cases", lambda: report(cases=[{}] * 100), CANNOT, "more problems"),
    of_report(
        "text for a number",
        lambda: changed_case(n="1"),
        CANNOT,
        'cases[0].n: found "1", expected a whole number',
    ),
    of_report("more passes than samples", lambda: changed_case(c=9), CANNOT, "found c = 9 and n = 1"),
    of_report(
        "a case twice",
        lambda: report(cases=json.loads(report_text())["cases"] * 2),
        CANNOT,
        "occurs twice",
    ),
    of_report("a NaN", lambda: report_text().replace(": 1.0", ": NaN", 1), "this is not JSON"),
    of_report(
        "an overflow",
        lambda: report_text().replace(": 1.0", ": 1e999", 1),
        CANNOT,
        "found Infinity, expected a finite",
    ),
)


def folder_for_a_report(folder: Path) -> None:
    """Make a folder where a report should be."""
    (folder / "current.json").mkdir()


def pipe_for_a_report(folder: Path) -> None:
    """Make a pipe where a report should be; nobody writes into it."""
    os.mkfifo(folder / "current.json")


def of_compare(name: str, *argv: str, where: str, says: str, current: Content = report_text) -> Broken:
    """Return two reports that can be read but not compared as asked."""
    files = {"baseline.json": report_text, "current.json": current}
    return Broken(name=name, files=files, argv=(*COMPARE, *argv), where=f"error: {where}", says=(says,))


PAIRS = (
    Broken(
        name="compare: no such report",
        files={"baseline.json": report_text},
        argv=COMPARE,
        where="error: current.json: cannot be read: No such file",
        says=(),
    ),
    Broken(
        name="compare: a folder",
        files={"baseline.json": report_text},
        prepare=folder_for_a_report,
        argv=COMPARE,
        where="error: current.json: cannot be read: Is a directory",
        says=(),
    ),
    Broken(
        name="compare: a pipe",
        files={"baseline.json": report_text},
        prepare=pipe_for_a_report,
        argv=COMPARE,
        where="error: current.json: cannot be read: it is a pipe",
        says=("save it to a file",),
    ),
    of_compare(
        "compare: other rules",
        where="the reports were scored by different rules",
        says="plausible version 1 with no parameters; given version 1",
        current=lambda: report_text("model,case,attempt,passed,score\na,c,0,True,0.5\n"),
    ),
    Broken(
        name="compare: nobody in common",
        files={
            "baseline.json": lambda: report_text(HEADER + "a,c,0,True\nb,c,0,True\n"),
            "current.json": lambda: report_text(HEADER + "d,c,0,True\ne,c,0,True\n"),
        },
        argv=COMPARE,
        where="error: the reports have no subject in common: a (T0), b (T0) against d (T0), e (T0)",
        says=("--model",),
    ),
    *(
        of_compare(f"compare: --threshold {limit}", "--threshold", limit, where="--threshold", says=says)
        for limit, says in (
            ("x", "expected a number, got 'x'"),
            ("-0.1", "must be from 0 to 1, got -"),
            ("5", "must be from 0 to 1, got 5"),
            ("nan", "expected a number, got 'nan'"),
        )
    ),
    of_compare(
        "compare: --format csv", "--format", "csv", where="csv cannot show a comparison", says="markdown"
    ),
    of_compare(
        "compare: -o x.csv", "-o", "x.csv", where="x.csv: the suffix selects the format", says=".json, .md"
    ),
)

GOOD_FIXES = {"fixes/m_fixes.csv": "oid,iteration_id,plausible_fix\n1,1,True\n"}
EVALUATE = ("pass-at-k", "--config", "evaluation_config.json")
CONFIG = {"fixes_dir": "fixes", "output_dir": "out", "k_values": [1]}


def of_config(name: str, changes: Mapping[str, object], where: str, *says: str) -> Broken:
    """Return a folder of good fixes whose settings are wrong."""
    files = {**GOOD_FIXES, "evaluation_config.json": json.dumps({**CONFIG, **changes})}
    return Broken(name=f"evaluate: {name}", files=files, argv=EVALUATE, where=f"error: {where}", says=says)


def of_fixes(name: str, content: Content, where: str, *says: str) -> Broken:
    """Return good settings beside fixes that cannot be evaluated."""
    files = {"fixes/m_fixes.csv": content, "evaluation_config.json": json.dumps(CONFIG)}
    return Broken(
        name=f"evaluate: {name}",
        files=files,
        argv=EVALUATE,
        where=f"error: fixes/m_fixes.csv{where}",
        says=says,
    )


CONFIGURATIONS = (
    of_config("an unknown key", {"model": ["a"]}, "evaluation_config.json: ", "did you mean 'models'?"),
    of_config(
        "text for a list", {"models": "a"}, "evaluation_config.json: ", 'models: found "a", expected a list'
    ),
    of_config("k = 0", {"k_values": [0]}, "evaluation_config.json: k_values", "at least 1, got [0]"),
    of_config("no k", {"k_values": []}, "evaluation_config.json: k_values", "at least 1, got []"),
    of_config("k = 1.5", {"k_values": [1.5]}, "evaluation_config.json: ", "k_values[0]: found 1.5"),
    of_config("k = true", {"k_values": [True]}, "evaluation_config.json: ", "expected a whole number"),
    of_config(
        "a word for a flag", {"generate_synthetic_data": "yes"}, "evaluation_config.json: ", "true or false"
    ),
    of_config(
        "an unknown data type", {"data_type": "fake"}, "evaluation_config.json: ", "'all', 'synthetic' or"
    ),
    of_config("no such folder", {"fixes_dir": "gone"}, "gone: no such folder", "set fixes_dir"),
    of_config("a NUL in a folder", {"output_dir": "a\0b"}, "a\\x00b: cannot be created", "null byte"),
    of_config(
        "no model fits",
        {"models": ["zzz"]},
        "fixes: no file matches models=['zzz']",
        "the folder has m_fixes.csv",
    ),
    of_config(
        "nothing synthetic", {"data_type": "synthetic"}, "fixes: no file matches", "data_type=synthetic"
    ),
    of_config(
        "an output below a file", {"output_dir": "fixes/m_fixes.csv"}, "fixes/m_fixes.csv: cannot be created"
    ),
    of_config("no such problems", {"problems_csv": "gone.csv"}, "gone.csv: no such file"),
    Broken(
        name="evaluate: no settings",
        argv=EVALUATE,
        where="error: evaluation_config.json: cannot be read",
        says=("No such file",),
    ),
    of_fixes("no useful column", "a,b\n1,2\n", ": has neither a column 'plausible_fix'", "'oid'"),
    of_fixes("a short row", "oid,iteration_id,filename,fixed_file\n1,1,a\n", ", row 1: ", "as many columns"),
    of_fixes("a wrong flag", "oid,iteration_id,plausible_fix\n1,1,maybe\n", ", row 1: ", "true or false"),
    of_fixes(
        "Latin-1 far below",
        ("oid,iteration_id,plausible_fix\n" + "p,1,True\n" * 3000).encode() + b"\xe9,1,True\n",
        ", line 3002: ",
        "is not UTF-8 text",
    ),
    of_fixes("an empty file", "", ": ", "is empty"),
)
