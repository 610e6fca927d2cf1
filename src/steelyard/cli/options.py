"""Options that several commands share: what each one is called and what its help says."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from steelyard.model.options import Duplicates, Errors, Missing, StatisticsLimit
from steelyard.model.outcome import Integrity
from steelyard.model.verdict import Inconclusive

FILES, NAMES, RULE, POLICY = "Output", "What the files leave open", "Scoring", "Policies"
CHECKING, GATE_RULE, MONEY = "Checking", "Rule", "Money and limits"
REPORT_FORMATS = "text, json, markdown, csv, html, junit or sarif."
PAIR_FORMATS = "text, json, markdown, html or junit."


def in_panel(panel: str | None) -> Callable[..., Any]:
    """Return what describes the options of one panel of the help: first the help, then the option's names."""

    def option(help: str, *names: str, **settings: Any) -> Any:  # noqa: ANN401  # what typer makes of it
        return typer.Option(*names, rich_help_panel=panel, help=help, **settings)

    return option


def repeated(help: str, *names: str, panel: str | None = None, **settings: Any) -> Any:  # noqa: ANN401  # as typer.Option
    """Describe an option that may be given several times."""
    return in_panel(panel)(help, *names, default_factory=list, show_default=False, **settings)


def output_option(
    panel: str | None = None, help: str = "Also write a file; type by suffix; repeatable."
) -> Any:  # noqa: ANN401  # as typer.Option
    """Describe `--output`."""
    return repeated(help, "--output", "-o", metavar="FILE", panel=panel)


def sink_option(panel: str | None = None) -> Any:  # noqa: ANN401  # as typer.Option
    """Describe `--sink`."""
    return repeated(
        "Also send the report to another system, such as mlflow; repeatable.",
        "--sink",
        metavar="NAME",
        panel=panel,
    )


plain, naming, scoring = in_panel(None), in_panel(NAMES), in_panel(RULE)
policy, checking, gate_rule = in_panel(POLICY), in_panel(CHECKING), in_panel(GATE_RULE)

# --- What is read and written
Outcomes = Annotated[list[str], typer.Argument(help="CSV, JSONL or Parquet files, or quoted globs.")]
RunArgument = Annotated[
    str, typer.Argument(help="A run: a folder, or an address such as s3://bucket/runs/1.")
]
BaselineReport = Annotated[
    str,
    plain(
        "What to compare with: a run, a report (JSON), an outcome file or a baseline's name.",
        metavar="REPORT",
    ),
]
CurrentReport = Annotated[
    str, plain("What to judge: a run, a report (JSON) or an outcome file.", metavar="REPORT")
]
Baselines = Annotated[
    str,
    plain(
        "Where baselines are kept: a folder, or such as s3://bucket/baselines.",
        envvar="STEELYARD_BASELINES",
        metavar="PLACE",
    ),
]
Output = Annotated[list[Path], output_option()]
Sink = Annotated[list[str], sink_option(FILES)]
PairFormat = Annotated[str, plain(PAIR_FORMATS)]
ConfigFile = Annotated[
    Path | None, plain("Providers, prices and defaults; steelyard.toml if there.", "--config", metavar="FILE")
]
Quiet = Annotated[bool, plain("Show no progress.", "--quiet", "-q")]
AsJson = Annotated[bool, plain("Print JSON, for scripts.", "--json")]
Details = Annotated[bool, plain("Show every number, not only a screenful.", "--details")]
Threads = Annotated[int | None, plain("Threads to count with; all cores by default.", min=1)]

# --- How a report is made
PassK = Annotated[str, plain("The k of pass@k, such as 1,5,10.")]
RunPassK = Annotated[str | None, plain("The k of pass@k, such as 1,5; by default as the run began.")]
AlsoAtK = Annotated[
    str | None, plain("More figures for each k from 2 on: g-pass, max.", "--also-at-k", metavar="A,B")
]
Map = Annotated[
    list[str],
    repeated(
        "Which column holds a field, such as case=oid; repeatable.",
        "--map",
        metavar="FIELD=COLUMN",
        panel=NAMES,
    ),
]
Delimiter = Annotated[
    str | None, naming("What separates columns, if the header does not show it.", metavar="CHAR")
]
Wide = Annotated[
    str | None, naming("Columns that each hold the outcomes of one model.", "--wide", metavar="A,B")
]
Ignore = Annotated[str | None, naming("Columns that are not looked at.", "--ignore", metavar="A,B")]
Model = Annotated[str | None, naming("The model, if no column says.")]
Tier = Annotated[str, naming("The tier, if no column says.")]
Suite = Annotated[str, naming("The suite, if no column says.")]
Scoring = Annotated[
    str | None,
    scoring("build-test-lint, composite, accuracy, plausible, given; by default what fits the columns."),
]
Weight = Annotated[
    list[str],
    repeated("How much a part counts, such as tests=0.5; repeatable.", metavar="PART=NUMBER", panel=RULE),
]
Penalty = Annotated[
    list[str],
    repeated(
        "What a kind of failure takes off the score, such as refusal=0.5; repeatable.",
        metavar="KIND=NUMBER",
        panel=RULE,
    ),
]
PassScore = Annotated[str | None, scoring("A sample with this score or more has passed.")]
SuiteWeight = Annotated[
    list[str],
    repeated(
        "How much a suite counts in a weighted overall score; repeatable.", metavar="SUITE=NUMBER", panel=RULE
    ),
]
GradeScale = Annotated[str, scoring("letters-95 or projectscylla-2026.")]
LatencyGood = Annotated[str | None, scoring("Seconds up to which the latency score is 1.")]
LatencyBad = Annotated[str | None, scoring("Seconds from which on the latency score is 0.")]
Level = Annotated[float, scoring("The level of every interval.")]
StopRule = Annotated[
    str | None,
    scoring("How sampling of a case ended, if not at a fixed number: maximum=10,passes=1.", metavar="RULE"),
]
PriceOf = Annotated[
    list[str],
    repeated(
        "USD for a million tokens, such as ollama/llama=0/0; repeatable.",
        "--price",
        metavar="MODEL=IN/OUT",
        panel=MONEY,
    ),
]
ExpertUsd = Annotated[
    str | None,
    scoring(
        "What an expert takes for a case, to cap the frontier cost of pass.", "--expert-usd", metavar="USD"
    ),
]
BaselineTier = Annotated[str, scoring("The tier that uplifts refer to.")]
OnMissing = Annotated[Missing, policy("What a case without samples counts as.")]
OnErrors = Annotated[Errors, policy("What a sample with an infrastructure error counts as.")]
OnDuplicates = Annotated[Duplicates, policy("What to do when two rows disagree on one attempt.")]
Statistics = Annotated[StatisticsLimit, policy("Medians: auto leaves them out above 2 million.")]

# --- How answers are checked
EngineName = Annotated[str, checking("Where the work runs: local, or ray for a cluster.", "--engine")]
CheckThreads = Annotated[int | None, checking("Checks at a time; by default one for each core.", min=1)]
SandboxName = Annotated[str, checking("Where answers run: bubblewrap, oci or gvisor.", "--sandbox")]
# No variable sets it: what is in the environment was not typed for this command.
Unsafe = Annotated[
    bool, checking("Run answers without any sandbox.", "--unsafe-no-sandbox", allow_from_autoenv=False)
]
CheckEach = Annotated[bool, checking("Check equal answers each time anew.", "--check-each")]

RequireIntegrity = Annotated[
    Integrity | None, plain("The least integrity accepted; samples and cases with less are refused.")
]

# --- How two reports are judged
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
        "What an open verdict exits with: fail (1), or pass (0) for want of samples only; else 4.",
        "--inconclusive",
    ),
]
