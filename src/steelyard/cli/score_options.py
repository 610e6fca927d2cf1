"""The options of `steelyard score`: what each one is called and what its help says."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.metrics.rules import RULES
from steelyard.model.policy import Duplicates, Errors, Missing, SpreadLimit

FILES, NAMES, RULE, POLICY = "Output", "What the files leave open", "Scoring", "Policies"

Outcomes = Annotated[list[str], typer.Argument(help="CSV, JSONL or Parquet files, or quoted globs.")]
Problems = Annotated[Path | None, typer.Option(help="The cases that should have been answered, as a file.")]
PassK = Annotated[str, typer.Option(help="The k of pass@k, such as 1,5,10.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads to count with; all cores by default.")]

Format = Annotated[
    str,
    typer.Option(
        "--format",
        envvar="STEELYARD_SCORE_FORMAT",
        rich_help_panel=FILES,
        help="text, json, markdown, csv, html, junit or sarif.",
    ),
]
Output = Annotated[
    list[Path],
    typer.Option(
        "--output",
        "-o",
        envvar="STEELYARD_SCORE_OUTPUT",
        metavar="FILE",
        rich_help_panel=FILES,
        help="Also write a file; type by suffix; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]

Map = Annotated[
    list[str],
    typer.Option(
        "--map",
        envvar="STEELYARD_SCORE_MAP",
        metavar="FIELD=COLUMN",
        rich_help_panel=NAMES,
        help="Which column holds a field, such as case=oid; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
Model = Annotated[str | None, typer.Option(rich_help_panel=NAMES, help="The model, if no column says.")]
Tier = Annotated[str, typer.Option(rich_help_panel=NAMES, help="The tier, if no column says.")]
Suite = Annotated[str, typer.Option(rich_help_panel=NAMES, help="The suite, if no column says.")]

Scoring = Annotated[
    str | None,
    typer.Option(rich_help_panel=RULE, help=f"{', '.join(RULES)}; by default what fits the columns."),
]
Weight = Annotated[
    list[str],
    typer.Option(
        metavar="PART=NUMBER",
        rich_help_panel=RULE,
        help="How much a part counts, such as tests=0.5; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
Penalty = Annotated[
    list[str],
    typer.Option(
        metavar="KIND=NUMBER",
        rich_help_panel=RULE,
        help="What a kind of failure takes off the score, such as refusal=0.5; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
PassScore = Annotated[
    str | None, typer.Option(rich_help_panel=RULE, help="A sample with this score or more has passed.")
]
SuiteWeight = Annotated[
    list[str],
    typer.Option(
        metavar="SUITE=NUMBER",
        rich_help_panel=RULE,
        help="How much a suite counts in a weighted overall score; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
GradeScale = Annotated[str, typer.Option(rich_help_panel=RULE, help="seed or projectscylla-2026.")]
LatencyGood = Annotated[
    str | None, typer.Option(rich_help_panel=RULE, help="Seconds up to which the latency score is 1.")
]
LatencyBad = Annotated[
    str | None, typer.Option(rich_help_panel=RULE, help="Seconds from which on the latency score is 0.")
]
Level = Annotated[float, typer.Option(rich_help_panel=RULE, help="The level of every interval.")]
StopRule = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        rich_help_panel=RULE,
        help="How sampling of a case ended, if not at a fixed number: maximum=10,passes=1.",
    ),
]
ExpertUsd = Annotated[
    str | None,
    typer.Option(
        "--expert-usd",
        metavar="USD",
        rich_help_panel=RULE,
        help="What an expert takes for a case, to cap the frontier cost of pass.",
    ),
]
BaselineTier = Annotated[str, typer.Option(rich_help_panel=RULE, help="The tier that uplifts refer to.")]

OnMissing = Annotated[
    Missing, typer.Option(rich_help_panel=POLICY, help="What a case without samples counts as.")
]
OnErrors = Annotated[
    Errors,
    typer.Option(rich_help_panel=POLICY, help="What a sample counts as when we, not the model, broke."),
]
OnDuplicates = Annotated[
    Duplicates,
    typer.Option(rich_help_panel=POLICY, help="What to do when two rows disagree on one attempt."),
]
Statistics = Annotated[
    SpreadLimit,
    typer.Option(rich_help_panel=POLICY, help="Medians and grades: auto leaves them out above 2 million."),
]
