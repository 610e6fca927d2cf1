"""`steelyard pass-at-k`, `synth` and `evaluate`: pass@k of repairs, from single files to whole folders."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, output
from steelyard.model.options import ReportOptions
from steelyard.model.policy import Duplicates, Errors, Missing
from steelyard.model.report import Report
from steelyard.render.passk_table import pass_at_k_csv, pass_at_k_table
from steelyard.sources.synthetic import DEFAULT_RATES, SyntheticPlan

DEFAULT_DATA = Path("evaluation/data")


def pass_at_k(
    *,
    problems_csv: Annotated[Path, typer.Option(help="The problems: columns oid, filename.")],
    fixes_csv: Annotated[
        list[str], typer.Option(help="The outcomes: columns oid, iteration_id, plausible_fix; repeatable.")
    ],
    k_values: Annotated[
        list[str],
        typer.Option(
            metavar="K...",
            help="The k of pass@k: --k-values 1 5 10.",
            default_factory=lambda: ["1,5,10"],
            show_default="1 5 10",
        ),
    ],
    save_to: Annotated[Path | None, typer.Option(help="Also write the table to this CSV file.")] = None,
    missing: Annotated[
        Missing, typer.Option(help="What a problem without attempts counts as.")
    ] = Missing.FAIL,
    errors: Annotated[
        Errors, typer.Option(help="What an attempt counts as when plausible_fix is empty.")
    ] = Errors.EXCLUDE,
    duplicates: Annotated[
        Duplicates, typer.Option(help="What to do when two rows disagree on one attempt.")
    ] = Duplicates.ERROR,
) -> None:
    """Print the table of pass@k for one or more models."""
    options = ReportOptions(
        pass_k=arguments.ks(k_values, option="--k-values"),
        missing=missing,
        errors=errors,
        duplicates=duplicates,
    )
    report = steelyard.score_files(fixes_csv, problems=problems_csv, options=options)
    rows = [
        (subject.model, [found.estimate.value for found in subject.pass_at_k]) for subject in report.subjects
    ]
    if save_to is not None:
        output.write(save_to, pass_at_k_csv(rows, options.pass_k))
    output.show(pass_at_k_table(rows, options.pass_k))
    _note_coverage(report)


def _note_coverage(report: Report) -> None:
    for subject in report.subjects:
        coverage = subject.coverage
        output.note(
            f"{subject.model}: {coverage.seen} of {coverage.expected} problems seen; "
            f"{coverage.missing} missing, {coverage.unknown} unknown, "
            f"{coverage.duplicate} duplicate rows, {coverage.errored} errored attempts"
        )
        for found in subject.pass_at_k:
            if found.estimate.value is None:
                output.note(f"{subject.model}: pass@{found.k} is not defined: {found.estimate.detail}")
    for warning in report.warnings:
        output.note(f"note: {warning}")


def _default_rates() -> list[str]:
    return [f"{model}={rate}" for model, rate in DEFAULT_RATES.items()]


def synth(
    *,
    rate: Annotated[
        list[str],
        typer.Option(
            metavar="MODEL=RATE",
            help="A model and its true success rate; repeatable.",
            default_factory=_default_rates,
            show_default=" ".join(f"{model}={rate}" for model, rate in DEFAULT_RATES.items()),
        ),
    ],
    output_dir: Annotated[Path, typer.Option(help="Where the files go.")] = DEFAULT_DATA,
    problems: Annotated[int, typer.Option(min=1, help="How many problems.")] = 20,
    samples: Annotated[int, typer.Option(min=1, help="How many attempts at each problem.")] = 10,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.")] = 0,
) -> None:
    """Make synthetic problems and outcomes of models with stated success rates."""
    rates = {model: float(value) for model, value in arguments.numbers(rate, option="--rate").items()}
    plan = SyntheticPlan(rates=rates, problems=problems, samples=samples, seed=seed)
    for path in steelyard.write_synthetic(output_dir, plan):
        output.show(f"{path}\n")


def evaluate(
    config: Annotated[Path, typer.Option(help="The settings.")] = Path("evaluation_config.json"),
) -> None:
    """Evaluate a whole folder of fixes and write a summary."""
    found = steelyard.evaluate_directory(steelyard.read_evaluation_config(config))
    for report in found.reports:
        _note_coverage(report)
    if found.problems is None:
        output.note(
            "note: there is no problems.csv; every problem that a file mentions was expected of that file"
        )
    output.show(pass_at_k_table(found.rows, found.reports[0].settings.pass_k))
    output.note(f"summary: {found.written[-1]}")
