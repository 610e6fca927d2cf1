import pytest
from typer.testing import CliRunner

from solution import app

runner = CliRunner()


def output(*args):
    result = runner.invoke(app, list(args))
    assert result.exit_code == 0, result.output
    return result.stdout.rstrip("\n")


@pytest.mark.parametrize(
    "args, expected",
    [
        (["1", "in", "cm"], "2.54 cm"),
        (["26.2", "mi", "km"], "42.16 km"),
        (["1", "KM", "M"], "1000.00 m"),
        (["0", "ft", "mm"], "0.00 mm"),
        (["1", "m", "ft", "--digits", "5"], "3.28084 ft"),
        (["2.5", "m", "m", "--digits=0"], "2 m"),
    ],
    ids=" ".join,
)
def test_length(args, expected):
    assert output("length", *args) == expected


@pytest.mark.parametrize(
    "args, expected",
    [
        (["0"], "32.0 °F"),
        (["100", "--to", "K"], "373.1 K"),
        (["212", "--from", "f", "--to", "c"], "100.0 °C"),
        (["0", "--from", "K", "--to", "C", "--plain"], "-273.1"),
        (["-40"], "-40.0 °F"),
    ],
)
def test_temp(args, expected):
    value = float(expected.split()[0])
    text = output("temp", *args)
    assert float(text.split()[0]) == pytest.approx(value, abs=0.11)
    assert text.split()[1:] == expected.split()[1:]


def test_negative_length():
    result = runner.invoke(app, ["length", "--", "-1", "m", "cm"])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == "Error: value must not be negative\n"


def test_below_absolute_zero():
    result = runner.invoke(app, ["temp", "--from", "C", "--", "-273.16"])
    assert result.exit_code == 1
    assert "below absolute zero" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["length", "1", "yd", "m"],
        ["length", "one", "m", "m"],
        ["length", "1", "m"],
        ["length", "1", "m", "m", "--digits", "11"],
        ["temp", "1", "--to", "R"],
    ],
)
def test_usage_errors(args):
    assert runner.invoke(app, args).exit_code == 2


def test_version():
    assert output("--version") == "convert 1.0"
