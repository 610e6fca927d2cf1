"""Inputs that look odd and are good: none of them may be refused or read differently."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from tests.commands import scored, typed, written
from tests.input.broken import HEADER, ROW

TEXT = HEADER + "a,c,0,True\na,c,1,False\n"
TABBED = TEXT.replace(",", "\t")
OBJECTS = (
    '{"model": "a", "case": "c", "attempt": 0, "passed": true}\n{"model": "a", "case": "c", "attempt": 1}\n'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd:
    """An odd file, and what is to be counted in it: samples, passes and errors of each case."""

    name: str
    content: str | bytes
    counted: dict[str, tuple[int, int, int]]
    file: str = "outcomes.csv"
    options: tuple[str, ...] = ()


ONE_OF_TWO = {"c": (2, 1, 0)}
TEXTS = (
    Odd(name="a byte-order mark", content=b"\xef\xbb\xbf" + TEXT.encode(), counted=ONE_OF_TWO),
    Odd(name="CRLF", content=TEXT.replace("\n", "\r\n"), counted=ONE_OF_TWO),
    Odd(name="CR", content=TEXT.replace("\n", "\r"), counted=ONE_OF_TWO),
    Odd(name="no line end at the end", content=TEXT.removesuffix("\n"), counted=ONE_OF_TWO),
    Odd(name="an empty line at the end", content=TEXT + "\n", counted=ONE_OF_TWO),
    Odd(name="packed with gzip", content=gzip.compress(TEXT.encode()), file="x.csv.gz", counted=ONE_OF_TWO),
    Odd(name="tabs", content=TABBED, file="x.tsv", counted=ONE_OF_TWO),
    Odd(name="packed tabs", content=gzip.compress(TABBED.encode()), file="x.TSV.GZ", counted=ONE_OF_TWO),
    Odd(name="a suffix in capitals", content=TEXT, file="x.CSV", counted=ONE_OF_TWO),
    Odd(
        name="quoted line breaks, commas and quotes",
        content=HEADER + 'a,"line 1\nline, 2 ""x""",0,True\n',
        counted={'line 1\nline, 2 "x"': (1, 1, 0)},
    ),
    Odd(
        name="a quote inside a bare cell",
        content=f'{HEADER}a,5" disk,0,True\n',
        counted={'5" disk': (1, 1, 0)},
    ),
    Odd(
        name="ids in any alphabet",
        content=HEADER + "a,Größe,0,True\na,値,0,False\na,🦀,0,True\n",
        counted={"Größe": (1, 1, 0), "値": (1, 0, 0), "🦀": (1, 1, 0)},
    ),
    Odd(
        name="the index column of pandas",
        content=",model,case,attempt,passed\n0,a,c,0,True\n1,a,c,1,False\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="two unnamed columns",
        content=",,model,case,attempt,passed\n0,0,a,c,0,True\n",
        counted={"c": (1, 1, 0)},
    ),
    Odd(
        name="flags as 1.0 and 0.0, as pandas writes them beside a gap",
        content=HEADER + "a,c,0,1.0\na,c,1,0.0\na,c,2,\n",
        counted={"c": (2, 1, 1)},
    ),
    Odd(
        name="flags in every spelling",
        content=HEADER
        + "".join(f"a,c,{n},{f}\n" for n, f in enumerate("TRUE t Yes y 1 false F no N 0".split())),  # noqa: SIM905  # words read better
        counted={"c": (10, 5, 0)},
    ),
    Odd(
        name="columns nobody asked for",
        content="model,case,attempt,passed,prompt,notes\na,c,0,True,p,n\na,c,1,False,p,n\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="spaces around the column names",
        content=" model , case,attempt ,passed\na,c,0,True\na,c,1,False\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="column names in capitals",
        content="Model,CASE,Attempt,Passed\na,c,0,True\na,c,1,False\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="spaces around values",
        content=f"{HEADER.strip()},cost_usd\na,c,0, True , 0.5 \na,c,1,false,\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="attempts that are words",
        content=HEADER + "a,c,first,True\na,c,second,False\n",
        counted=ONE_OF_TWO,
    ),
    Odd(name="no attempts at all", content="model,case,passed\na,c,1\na,c,0\n", counted=ONE_OF_TWO),
    Odd(
        name="whole numbers with a decimal point",
        content=f"{HEADER.strip()},tokens_in\na,c,0,True,10.0\na,c,1,False,\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="a cost in scientific notation",
        content=f"{HEADER.strip()},cost_usd\na,c,0,True,1e-3\na,c,1,False,+2.5E2\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="a cost too small to count",
        content=f"{HEADER.strip()},cost_usd\na,c,0,True,1e-400\na,c,1,False,0\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="only a build, as a validator tells it",
        content="model,case,attempt,built\na,c,0,True\na,c,1,False\n",
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="a column called value",
        content="model,case,attempt,value\na,c,0,1\na,c,1,0\n",
        options=("--map", "passed=value"),
        counted=ONE_OF_TWO,
    ),
    Odd(
        name="a column whose name needs quoting",
        content='model,case,attempt,"is it ""ok"", really?"\na,c,0,1\na,c,1,0\n',
        options=("--map", 'passed=is it "ok", really?'),
        counted=ONE_OF_TWO,
    ),
)
LINES = (
    Odd(name="JSON lines", content=OBJECTS, file="x.jsonl", counted={"c": (1, 1, 1)}),
    Odd(name="the other suffix of JSON lines", content=OBJECTS, file="x.ndjson", counted={"c": (1, 1, 1)}),
    Odd(
        name="CRLF JSON lines",
        content=OBJECTS.replace("\n", "\r\n"),
        file="x.jsonl",
        counted={"c": (1, 1, 1)},
    ),
    Odd(
        name="blank lines between JSON lines",
        content="\n" + OBJECTS.replace("\n", "\n\n"),
        file="x.jsonl",
        counted={"c": (1, 1, 1)},
    ),
    Odd(
        name="packed JSON lines",
        content=gzip.compress(OBJECTS.encode()),
        file="x.jsonl.gz",
        counted={"c": (1, 1, 1)},
    ),
    Odd(
        name="numbers in JSON strings",
        content='{"model":"a","case":7,"attempt":"0","passed":"1","cost_usd":"0.5","tokens_in":"12"}\n',
        file="x.jsonl",
        counted={"7": (1, 1, 0)},
    ),
    Odd(
        name="rows of more than 200 different keys",
        content="".join(
            json.dumps({"model": "a", "case": "c", "attempt": place, "passed": True, f"key_{place}": place})
            + "\n"
            for place in range(300)
        ),
        file="x.jsonl",
        counted={"c": (300, 300, 0)},
    ),
    Odd(
        name="a value inside an object",
        content='{"model":"a","task":{"id":"c"},"attempt":0,"passed":true}\n',
        file="x.jsonl",
        options=("--map", "case=task.id"),
        counted={"c": (1, 1, 0)},
    ),
)


@pytest.mark.parametrize("odd", [*TEXTS, *LINES], ids=lambda odd: odd.name)
def test_an_odd_file_is_counted_all_the_same(
    odd: Odd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, odd.content, odd.file)

    report = scored(capsys, odd.file, *odd.options)

    counted = {case["case"]: (case["n"], case["c"], case["errored"]) for case in report["cases"]}
    assert counted == odd.counted


def test_a_file_named_twice_is_counted_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "model,case,passed\na,c,True\n")
    (tmp_path / "link.csv").symlink_to(path)

    report = scored(capsys, path, tmp_path / "*.csv", tmp_path / "link.csv")

    assert report["cases"][0]["n"] == 1


def test_a_name_that_looks_like_a_pattern_is_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, TEXT, "run [1]*?.csv")
    written(tmp_path, HEADER + "b,c,0,True\n", "run 1.csv")

    report = scored(capsys, "run [1]*?.csv")

    assert [subject["model"] for subject in report["subjects"]] == ["a"]


def test_parquet_takes_every_plain_type(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.parquet"
    columns = (
        "'a'::ENUM('a') AS model, uuid() AS \"case\", 0::UTINYINT AS attempt, 1::DECIMAL(3, 1) AS passed, "
        "0.5::FLOAT AS score, 0.25::DECIMAL(9, 4) AS cost_usd, 2::HUGEINT AS latency_s, NULL AS tokens_in, "
        "7.0::DOUBLE AS tokens_out"
    )
    duckdb.execute(f"COPY (SELECT {columns}) TO '{path}' (FORMAT parquet)")

    report = scored(capsys, path)

    subject = report["subjects"][0]
    assert (subject["passed"], subject["score"]["value"], subject["tokens_out"]) == (1, 0.5, 7)
    assert (subject["total_cost_usd"]["value"], subject["mean_latency_s"]["value"]) == (0.25, 2.0)


def test_what_a_terminal_would_obey_is_spelt_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, f"{HEADER}a,\x1b[31mred,0,True\n{ROW}")

    shown = typed(capsys, "score", path, "--details")

    assert shown.code == 0
    assert "\x1b" not in shown.out
    assert "\\x1b[31mred" in shown.out
