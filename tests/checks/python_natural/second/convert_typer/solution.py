from enum import Enum
from typing import Annotated, Optional

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


class Temp(str, Enum):
    C = "C"
    F = "F"
    K = "K"


METERS = {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000, "in": 0.0254, "ft": 0.3048, "mi": 1609.344}
TO_KELVIN = {"C": lambda t: t + 273.15, "F": lambda t: (t + 459.67) * 5 / 9, "K": lambda t: t}
FROM_KELVIN = {"C": lambda t: t - 273.15, "F": lambda t: t * 9 / 5 - 459.67, "K": lambda t: t}
SYMBOL = {"C": "°C", "F": "°F", "K": "K"}


def fail(message):
    typer.echo(f"Error: {message}", err=True)
    raise typer.Exit(1)


def show_version(value: bool):
    if value:
        typer.echo("convert 1.0")
        raise typer.Exit


@app.callback()
def main(version: Annotated[Optional[bool], typer.Option("--version", callback=show_version, is_eager=True)] = None):
    """Convert units."""


@app.command(context_settings={"ignore_unknown_options": True})
def length(
    value: float,
    source: Annotated[Length, typer.Argument(metavar="FROM", case_sensitive=False)],
    target: Annotated[Length, typer.Argument(metavar="TO", case_sensitive=False)],
    digits: Annotated[int, typer.Option(min=0, max=10)] = 2,
):
    if value < 0:
        fail("value must not be negative")
    converted = value * METERS[source.value] / METERS[target.value]
    typer.echo(f"{converted:.{digits}f} {target.value}")


@app.command(context_settings={"ignore_unknown_options": True})
def temp(
    value: float,
    source: Annotated[Temp, typer.Option("--from", case_sensitive=False)] = Temp.C,
    target: Annotated[Temp, typer.Option("--to", case_sensitive=False)] = Temp.F,
    plain: bool = False,
):
    kelvin = TO_KELVIN[source.value](value)
    if kelvin < 0:
        fail("below absolute zero")
    number = f"{FROM_KELVIN[target.value](kelvin):.1f}"
    typer.echo(number if plain else f"{number} {SYMBOL[target.value]}")


if __name__ == "__main__":
    app()
