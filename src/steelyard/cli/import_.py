"""`steelyard import`: outcomes from files, or logs of other tools, into a run."""

from functools import partial
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.screen import note, show
from steelyard.model.options import ColumnMapping, Duplicates


def import_(
    outcomes: Annotated[
        list[str],
        typer.Argument(
            help="CSV, JSONL or Parquet files, quoted globs, or logs and job folders of other tools."
        ),
    ],
    *,
    run: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to: a new folder, or s3://bucket/runs/1.")
    ],
    map: options.Map,
    weight: options.Weight,
    penalty: options.Penalty,
    model: options.Model = None,
    tier: options.Tier = "T0",
    suite: options.Suite = "default",
    delimiter: options.Delimiter = None,
    wide: options.Wide = None,
    ignore: options.Ignore = None,
    scoring: options.Scoring = None,
    pass_score: options.PassScore = None,
    scorer: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which score counts, of a log that has several for each answer."),
    ] = None,
    duplicates: options.OnDuplicates = Duplicates.ERROR,
    threads: options.Threads = None,
) -> None:
    """Keep outcomes that are already in files, or a log of another tool, as a run."""
    rule = arguments.rule_choice(scoring, weight, penalty, pass_score)
    columns = arguments.pairs(map, option="--map")
    unnamed = partial(ColumnMapping, delimiter=delimiter, model=model, tier=tier, suite=suite)
    naming = unnamed(columns=columns, wide=arguments.words(wide), ignore=arguments.words(ignore))
    found = steelyard.import_files(
        outcomes, run, rule=rule, naming=naming, duplicates=duplicates, scorer=scorer, threads=threads
    )
    for one in found.left_out:
        note(f"left out: {one.what} {one.count} ({one.why})")
    if found.duplicates:
        note(f"left out as duplicates: {found.duplicates}")
    kept, made_by = found.manifest, "" if found.tool is None else f"made by {found.tool}; "
    show(
        f"{run}: outcomes {found.outcomes}, cases {len(kept.cases)}, subjects {len(kept.subjects)}; "
        f"{made_by}scored by {kept.scoring.name}/{kept.scoring.version}\n"
    )
