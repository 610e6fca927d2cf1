"""Options shared by several commands."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from steelyard.model.options import Duplicates, Errors, Missing, StatisticsLimit
from steelyard.model.outcome import Integrity
from steelyard.model.verdict import Inconclusive

FILES, NAMES, RULE, POLICY = "Output", "Column names", "Scoring", "Policies"
CHECKING, GATE_RULE, MONEY = "Checking", "Rule", "Money and limits"
REPORT_FORMATS = "text, json, markdown, csv, html, latex, junit or sarif."
PAIR_FORMATS = "text, json, markdown, html or junit."


def in_panel(panel: str | None) -> Callable[..., Any]:
    """Return a factory of options in one panel of the help: help text first, then option names."""

    def option(help: str, *names: str, **settings: Any) -> Any:  # noqa: ANN401  # as typer.Option
        return typer.Option(*names, rich_help_panel=panel, help=help, **settings)

    return option


def repeated(help: str, *names: str, panel: str | None = None, **settings: Any) -> Any:  # noqa: ANN401  # as typer.Option
    """Declare a repeatable option."""
    return in_panel(panel)(help, *names, default_factory=list, show_default=False, **settings)


def output_option(
    panel: str | None = None, help: str = "Also write a file; type by suffix; repeatable."
) -> Any:  # noqa: ANN401  # as typer.Option
    """Declare `--output`."""
    return repeated(help, "--output", "-o", metavar="FILE", panel=panel)


def sink_option(panel: str | None = None) -> Any:  # noqa: ANN401  # as typer.Option
    """Declare `--sink`."""
    return repeated(
        "Also send the report to another system, such as mlflow; repeatable.",
        "--sink",
        metavar="NAME",
        panel=panel,
    )


plain, naming, scoring = in_panel(None), in_panel(NAMES), in_panel(RULE)
policy, checking, gate_rule = in_panel(POLICY), in_panel(CHECKING), in_panel(GATE_RULE)

# --- Input and output
Outcomes = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="CSV, JSONL or Parquet files, or quoted globs.")
]
RunArgument = Annotated[
    str, typer.Argument(help="A run: a folder, or an address such as s3://bucket/runs/1.")
]
BaselineReport = Annotated[
    str,
    plain(
        "The baseline: a run, report (JSON), outcome file, log of another tool or baseline's name.",
        metavar="REPORT",
    ),
]
CurrentReport = Annotated[
    str,
    plain(
        "The current results: a run, report (JSON), outcome file or log of another tool.", metavar="REPORT"
    ),
]
Renames = Annotated[
    list[str], repeated("Another name for a model; repeatable.", "--model", metavar="MODEL=NAME")
]
Baselines = Annotated[
    str,
    plain(
        "Folder of baselines, or an address such as s3://bucket/baselines.",
        envvar="STEELYARD_BASELINES",
        metavar="ADDRESS",
    ),
]
Output = Annotated[list[Path], output_option()]
Sink = Annotated[list[str], sink_option(FILES)]
PairFormat = Annotated[str, plain(PAIR_FORMATS)]
ConfigFile = Annotated[
    Path | None,
    plain(
        "Providers, prices and defaults. Default: steelyard.toml, if it exists.", "--config", metavar="FILE"
    ),
]
Quiet = Annotated[bool, plain("Show no progress.", "--quiet", "-q")]
AsJson = Annotated[bool, plain("Print JSON.", "--json")]
Details = Annotated[bool, plain("Show every number, not only a screenful.", "--details")]
Threads = Annotated[int | None, plain("Threads for counting. Default: all cores.", min=1)]

# --- Reports
PassK = Annotated[str, plain("The k of pass@k, such as 1,5,10.")]
RunPassK = Annotated[str | None, plain("The k of pass@k, such as 1,5. Default: the run's.")]
AlsoAtK = Annotated[
    str | None, plain("Additional metrics for each k from 2: g-pass, max.", "--also-at-k", metavar="A,B")
]
Map = Annotated[
    list[str],
    repeated(
        "Column of a field, such as case=oid; repeatable.",
        "--map",
        metavar="FIELD=COLUMN",
        panel=NAMES,
    ),
]
Delimiter = Annotated[
    str | None, naming("Column separator. Default: detected from the header.", metavar="CHAR")
]
Wide = Annotated[str | None, naming("Columns with one model's outcomes each.", "--wide", metavar="A,B")]
Ignore = Annotated[str | None, naming("Columns to ignore.", "--ignore", metavar="A,B")]
Model = Annotated[str | None, naming("Model of all rows, without such a column.")]
ModelNames = Annotated[
    list[str],
    repeated(
        "Model of all rows, without such a column; or MODEL=NAME, another name for one; repeatable.",
        "--model",
        metavar="NAME",
        panel=NAMES,
    ),
]
Tier = Annotated[str, naming("Tier of all rows, without such a column.")]
Suite = Annotated[str, naming("Suite of all rows, without such a column.")]
Scoring = Annotated[
    str | None,
    scoring("build-test-lint, composite, accuracy, plausible or given. Default: by columns."),
]
Weight = Annotated[
    list[str],
    repeated("Weight of a part, such as tests=0.5; repeatable.", metavar="PART=NUMBER", panel=RULE),
]
Penalty = Annotated[
    list[str],
    repeated(
        "Score penalty of a failure, such as refusal=0.5; repeatable.",
        metavar="KIND=NUMBER",
        panel=RULE,
    ),
]
PassScore = Annotated[str | None, scoring("Lowest score of a passed sample.")]
SuiteWeight = Annotated[
    list[str],
    repeated("Weight of a suite in the overall score; repeatable.", metavar="SUITE=NUMBER", panel=RULE),
]
GradeScale = Annotated[str, scoring("Scale of grades: letters-95 or projectscylla-2026.")]
LatencyGood = Annotated[str | None, scoring("Latency in seconds with score 1.")]
LatencyBad = Annotated[str | None, scoring("Latency in seconds with score 0.")]
Level = Annotated[float, scoring("Confidence level of intervals.")]
StopRule = Annotated[
    str | None,
    scoring("Stop rule of the samples, unless their number was fixed: maximum=10,passes=1.", metavar="RULE"),
]
PriceOf = Annotated[
    list[str],
    repeated(
        "USD per million tokens, such as ollama/llama=0/0; repeatable.",
        "--price",
        metavar="MODEL=IN/OUT",
        panel=MONEY,
    ),
]
ExpertUsd = Annotated[
    str | None,
    scoring("Price of an expert's solution; caps the frontier cost of pass.", "--expert-usd", metavar="USD"),
]
BaselineTier = Annotated[str, scoring("Reference tier of uplifts.")]
OnMissing = Annotated[Missing, policy("Result of a case without samples.")]
OnErrors = Annotated[Errors, policy("Result of a sample with an infrastructure error.")]
OnDuplicates = Annotated[Duplicates, policy("Handling of contradictory rows of one attempt.")]
Statistics = Annotated[StatisticsLimit, policy("Medians: auto skips them above 2 million samples.")]

# --- Checks
EngineName = Annotated[str, checking("Where tasks run: local, or ray for a cluster.", "--engine")]
CheckThreads = Annotated[int | None, checking("Concurrent checks. Default: one per core.", min=1)]
SandboxName = Annotated[str, checking("Sandbox of answers: bubblewrap, oci or gvisor.", "--sandbox")]
# An environment variable must not disable the sandbox unnoticed.
Unsafe = Annotated[
    bool, checking("Run answers without a sandbox.", "--unsafe-no-sandbox", allow_from_autoenv=False)
]
CheckEach = Annotated[bool, checking("Check every answer, even if an equal one was checked.", "--check-each")]

INTEGRITY = "Lowest accepted integrity: reject samples and cases below it."
RequireIntegrity = Annotated[Integrity | None, plain(INTEGRITY)]
RequireIntegrityOfChecks = Annotated[Integrity | None, checking(INTEGRITY)]

# --- Gate rule
Margin = Annotated[float, gate_rule("The smallest drop that matters; 0.05 is 5 points.")]
Alpha = Annotated[float, gate_rule("The largest share of false alarms; 0.005 for nightly jobs.")]
MaxErrorShare = Annotated[
    float, gate_rule("With more infrastructure errors than this share, decide nothing.")
]
AllowMissing = Annotated[
    bool, gate_rule("Pass even if cases of the baseline, or planned samples, are missing.", "--allow-missing")
]
OnInconclusive = Annotated[
    Inconclusive | None,
    gate_rule(
        "Exit code if inconclusive: fail (1), or pass (0) if only samples are lacking. Default: 4.",
        "--inconclusive",
    ),
]
