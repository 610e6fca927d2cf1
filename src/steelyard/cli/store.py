"""`steelyard import` and `steelyard export`: outcomes from files into a run, and a run's rows into a file."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, output
from steelyard.cli import score_options as options
from steelyard.model.naming import Naming
from steelyard.model.policy import Duplicates


def import_outcomes(
    outcomes: options.Outcomes,
    *,
    run: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to: a new folder, or s3://bucket/runs/1.")
    ],
    column: Annotated[
        list[str],
        typer.Option(
            "--map",
            envvar="STEELYARD_IMPORT_MAP",
            metavar="FIELD=COLUMN",
            rich_help_panel=options.NAMES,
            help="Which column holds a field, such as case=oid; repeatable.",
            default_factory=list,
            show_default=False,
        ),
    ],
    weight: options.Weight,
    penalty: options.Penalty,
    model: options.Model = None,
    tier: options.Tier = "T0",
    suite: options.Suite = "default",
    scoring: options.Scoring = None,
    pass_score: options.PassScore = None,
    duplicates: options.OnDuplicates = Duplicates.ERROR,
    threads: options.Threads = None,
) -> None:
    """Keep outcomes that are already in files as a run."""
    rule = arguments.rule_choice(scoring, weight, penalty, pass_score)
    naming = Naming(columns=arguments.pairs(column, option="--map"), model=model, tier=tier, suite=suite)
    found = steelyard.import_files(
        outcomes, run, rule=rule, naming=naming, duplicates=duplicates, threads=threads
    )
    if found.duplicates:
        output.note(f"left out as duplicates: {found.duplicates}")
    kept = found.manifest
    output.show(
        f"{run}: outcomes {found.outcomes}, cases {len(kept.cases)}, subjects {len(kept.subjects)}; "
        f"scored by {kept.scoring.name}/{kept.scoring.version}\n"
    )


def export(
    run: Annotated[str, typer.Argument(help="A run: a folder, or an address such as s3://bucket/runs/1.")],
    *,
    out: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            envvar="STEELYARD_EXPORT_OUTPUT",
            metavar="FILE",
            help="The file to write; type by suffix: .parquet, .csv, .jsonl.",
        ),
    ],
    table: Annotated[
        str, typer.Option(help="Which rows: outcomes, or samples for the answers themselves.")
    ] = "outcomes",
    threads: options.Threads = None,
) -> None:
    """Write a run's rows to one file: Parquet, CSV or JSONL, sorted by case and attempt."""
    rows = steelyard.export_run(run, out, table=table, threads=threads)
    output.show(f"{out}: {table} {rows}\n")
