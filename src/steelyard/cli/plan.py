"""`steelyard plan`: compute sample sizes, and allocate a sample budget to cases."""

import csv
from io import StringIO
from typing import Annotated

import typer

import steelyard
from steelyard.cli.output import note_source
from steelyard.cli.screen import show
from steelyard.errors import UserError
from steelyard.model.plan import CASES, Demand
from steelyard.render.plan import plans_as_json, plans_as_text


def plan(
    *,
    drop: Annotated[float, typer.Option(help="The drop to detect; 0.05 is 5 points.")] = 0.05,
    power: Annotated[float, typer.Option(help="Probability of detecting the drop.")] = 0.8,
    alpha: Annotated[float, typer.Option(help="Largest rate of false alarms.")] = 0.05,
    past: Annotated[
        str | None,
        typer.Option(
            "--from", envvar="STEELYARD_PLAN_FROM", help="A past run, report (JSON) or outcome file."
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(help="Pass rates without a past run: u-shaped, mostly-deterministic or reliable."),
    ] = None,
    cases: Annotated[
        int | None, typer.Option(help=f"With --profile: the number of cases; default {CASES}.")
    ] = None,
    allocate: Annotated[
        str | None, typer.Option(help="Allocate --budget to cases; history: by a past run.")
    ] = None,
    budget: Annotated[int | None, typer.Option(help="With --allocate: total number of samples.")] = None,
    model: Annotated[
        str | None, typer.Option(help="With --allocate: use the past outcomes of this model.")
    ] = None,
    format: Annotated[str, typer.Option(help="text or json.")] = "text",
) -> None:
    if format not in {"text", "json"}:
        raise UserError(f"--format {format}: choose text or json")
    _require_combination(past, profile, cases=cases, allocate=allocate, budget=budget, model=model)
    if allocate is not None:
        _show_allocation(allocate, past, budget=budget, model=model)
        return
    demand = Demand(drop=drop, power=power, alpha=alpha)
    plans = steelyard.plan(past, profile=profile, cases=CASES if cases is None else cases, demand=demand)
    if past is not None and format == "text":
        note_source("from", past)
    show(plans_as_json(plans) if format == "json" else plans_as_text(plans))


def _require_combination(
    past: str | None,
    profile: str | None,
    *,
    cases: int | None,
    allocate: str | None,
    budget: int | None,
    model: str | None,
) -> None:
    """Reject options without effect."""
    if allocate is None and (budget is not None or model is not None):
        raise UserError("--budget and --model require --allocate: add it, or remove them")
    if past is not None and (cases is not None or profile is not None):
        raise UserError("--from already determines the cases: remove --profile and --cases")


def _show_allocation(allocation: str, past: str | None, *, budget: int | None, model: str | None) -> None:
    if allocation != "history" or past is None or budget is None:
        raise UserError("incomplete allocation: add --allocate history, --from REPORT and --budget N")
    shares = steelyard.allocate(past, budget=budget, model=model)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["suite", "case", "samples"])
    writer.writerows([suite, case, samples] for (suite, case), samples in shares.items())
    show(text.getvalue())
