"""`steelyard import`: store outcome files, or other tools' logs, as a run."""

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
        str, typer.Option(metavar="ADDRESS", help="The new run: a folder, or s3://bucket/runs/1.")
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
        typer.Option(metavar="NAME", help="The score to import, for logs with several scores per answer."),
    ] = None,
    duplicates: options.OnDuplicates = Duplicates.ERROR,
    threads: options.Threads = None,
) -> None:
    rule = arguments.rule_choice(scoring, weight, penalty, pass_score)
    columns = arguments.pairs(map, option="--map")
    make_mapping = partial(ColumnMapping, delimiter=delimiter, model=model, tier=tier, suite=suite)
    naming = make_mapping(columns=columns, wide=arguments.words(wide), ignore=arguments.words(ignore))
    imported = steelyard.import_files(
        outcomes, run, rule=rule, naming=naming, duplicates=duplicates, scorer=scorer, threads=threads
    )
    for omission in imported.left_out:
        note(f"left out: {omission.what} {omission.count} ({omission.why})")
    if imported.duplicates:
        note(f"left out as duplicates: {imported.duplicates}")
    manifest, tool = imported.manifest, "" if imported.tool is None else f"made by {imported.tool}; "
    show(
        f"{run}: outcomes {imported.outcomes}, cases {len(manifest.cases)}, "
        f"subjects {len(manifest.subjects)}; {tool}scored by "
        f"{manifest.scoring.name}/{manifest.scoring.version}\n"
    )
