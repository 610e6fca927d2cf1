"""`steelyard import`: outcomes from files into a run."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.screen import note, show
from steelyard.model.options import ColumnMapping, Duplicates


def import_(
    outcomes: options.Outcomes,
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
    scoring: options.Scoring = None,
    pass_score: options.PassScore = None,
    duplicates: options.OnDuplicates = Duplicates.ERROR,
    threads: options.Threads = None,
) -> None:
    """Keep outcomes that are already in files as a run."""
    rule = arguments.rule_choice(scoring, weight, penalty, pass_score)
    columns = arguments.pairs(map, option="--map")
    naming = ColumnMapping(columns=columns, model=model, tier=tier, suite=suite, delimiter=delimiter)
    found = steelyard.import_files(
        outcomes, run, rule=rule, naming=naming, duplicates=duplicates, threads=threads
    )
    if found.duplicates:
        note(f"left out as duplicates: {found.duplicates}")
    kept = found.manifest
    show(
        f"{run}: outcomes {found.outcomes}, cases {len(kept.cases)}, subjects {len(kept.subjects)}; "
        f"scored by {kept.scoring.name}/{kept.scoring.version}\n"
    )
