"""`steelyard synth`: generate example outcomes with known success rates."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.app.synth import DEFAULT_RATES, SyntheticPlan
from steelyard.cli import arguments
from steelyard.cli.screen import show

RATES = [f"{model}={rate}" for model, rate in DEFAULT_RATES.items()]


def synth(
    *,
    rate: Annotated[
        list[str],
        typer.Option(
            metavar="MODEL=RATE",
            help="A model and its true success rate; repeatable.",
            default_factory=RATES.copy,
            show_default=" ".join(RATES),
        ),
    ],
    output_dir: Annotated[Path, typer.Option(help="The output folder.")] = Path("evaluation/data"),
    problems: Annotated[int, typer.Option(min=1, help="Number of problems.")] = 20,
    samples: Annotated[int, typer.Option(min=1, help="Attempts per problem.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed; equal seeds give equal files.")] = 0,
) -> None:
    rates = {model: float(value) for model, value in arguments.numbers(rate, option="--rate").items()}
    plan = SyntheticPlan(rates=rates, problems=problems, samples=samples, seed=seed)
    for path in steelyard.write_synthetic(output_dir, plan):
        show(f"{path}\n")
