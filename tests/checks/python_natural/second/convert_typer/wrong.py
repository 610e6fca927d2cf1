from enum import Enum
from typing import Annotated

import typer

app = typer.Typer()


class Length(str, Enum):
    mm = "mm"
    cm = "cm"
    m = "m"
    km = "km"
    inch = "in"
    ft = "ft"
    mi = "mi"


METERS = {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000, "in": 0.0254, "ft": 0.3048, "mi": 1609}


@app.command()
def length(value: float, source: Length, target: Length, digits: int = 2):
    if value < 0:
        typer.echo("Error: value must not be negative")
        raise typer.Exit(1)
    converted = value * METERS[source.value] / METERS[target.value]
    typer.echo(f"{round(converted, digits)} {target.value}")


@app.command()
def temp(
    value: float,
    source: Annotated[str, typer.Option("--from")] = "C",
    target: Annotated[str, typer.Option("--to")] = "F",
    plain: bool = False,
):
    celsius = {"C": value, "F": (value - 32) * 5 / 9, "K": value - 273.15}[source]
    result = {"C": celsius, "F": celsius * 9 / 5 + 32, "K": celsius + 273.15}[target]
    typer.echo(f"{result:.1f}" if plain else f"{result:.1f} °{target}")
