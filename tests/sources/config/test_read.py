"""`steelyard.toml` says what holds for all runs; what is wrong with it is said with its place."""

import re
from dataclasses import fields
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest

from steelyard.errors import InputError
from steelyard.model.config import Config, ProviderSettings, RunLimits
from steelyard.model.policy import GatePolicy, Metric, Requirement
from steelyard.model.price import Price
from steelyard.model.request import Usage
from steelyard.providers.prices.price_list import PriceList
from steelyard.sources.config.read import config_json_schema, read_config
from steelyard.sources.config.shape import FORM
from tests.commands import written

EXAMPLES = Path(__file__).parents[3] / "examples"
WHOLE = """
models = ["anthropic/claude-sonnet-4-5", "lab/llama"]

[providers.lab]
kind = "openai"
base_url = "http://127.0.0.1:8000/v1"
api_key_env = "LAB_KEY"
timeout_secs = 30
max_concurrency = 64
options = { command = ["agent", "--quiet"], depth = 3 }

[[prices]]
model = "lab/*"
input = 0.15
output = 0.6
cached = 0.075
cache_write = 0.2
reasoning = 0.7
call = 0.001
from = 2026-01-01
until = "2026-07-01"
max_tokens = 8192

[limits]
max_usd = 12.5
max_concurrency = 100
retries = 2

[run]
out = "s3://bucket/runs"

[gate]
critical = ["deploy/rollback"]

[[gate.require]]
metric = "cost"
suites = ["deploy"]
margin = 1.5
"""
PRICE = "[[prices]]\nmodel = 'lab/m'\ninput = 1\noutput = 1\n"


def test_every_key_is_read(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, WHOLE, "steelyard.toml"))

    assert config == Config(
        models=("anthropic/claude-sonnet-4-5", "lab/llama"),
        providers={
            "lab": ProviderSettings(
                name="lab",
                kind="openai",
                base_url="http://127.0.0.1:8000/v1",
                api_key_env="LAB_KEY",
                timeout_s=30.0,
                max_concurrency=64,
                options={"command": '["agent", "--quiet"]', "depth": "3"},
            )
        },
        prices=(
            Price(
                model="lab/*",
                input_usd=Decimal("0.15"),
                output_usd=Decimal("0.6"),
                cached_usd=Decimal("0.075"),
                cache_write_usd=Decimal("0.2"),
                reasoning_usd=Decimal("0.7"),
                call_usd=Decimal("0.001"),
                starts=date(2026, 1, 1),
                until=date(2026, 7, 1),
                max_tokens=8192,
            ),
        ),
        limits=RunLimits(max_nano_usd=12_500_000_000, max_concurrency=100, retries=2),
        runs="s3://bucket/runs",
        gate=GatePolicy(
            requirements=(Requirement(metric=Metric.COST, suites=("deploy",), margin=1.5),),
            critical=("deploy/rollback",),
        ),
    )


def test_the_file_of_this_folder_is_read_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert read_config(None) == Config() == read_config(written(tmp_path, "", "empty.toml"))
    written(tmp_path, "models = ['a/b']", "steelyard.toml")
    assert read_config(None) == Config(models=("a/b",))


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"other\.toml.*file"):
        read_config(tmp_path / "other.toml")


def test_a_cap_is_rounded_down_to_the_nano_dollar(tmp_path: Path) -> None:
    path = written(tmp_path, "limits.max_usd = 0.0000000019", "steelyard.toml")

    assert read_config(path).limits.max_nano_usd == 1


WRONG = {
    "an unknown table": (
        "[provider.lab]",
        1,
        "there is no table or key \"provider\"; did you mean 'providers'?",
    ),
    "an unknown key of a provider": (
        "[providers.lab]\nkind = 'openai'\napi_key_var = 'X'",
        3,
        "[providers.lab] has no key \"api_key_var\"; did you mean 'api_key_env'?",
    ),
    "an unknown key of a price": (f"{PRICE}form = 2026-01-01", 5, "did you mean 'from'?"),
    "an unknown limit": (
        "[limits]\nmax_eur = 3",
        2,
        "[limits] has no key \"max_eur\"; did you mean 'max_usd'?",
    ),
    "a key of the run": ("[run]\nfolder = 'x'", 2, '[run] has no key "folder"; the keys here are out'),
    "no prices": ("[[prices]]\nmodel = 'a/b'\ninput = 1", 1, "prices[1] has no 'output'; add output = …"),
    "a price below nothing": (f"{PRICE}cached = -1", 5, "prices[1].cached: found -1, expected at least 0"),
    "a price in words": (f"{PRICE}cached = 'free'", 5, 'found "free", expected a number'),
    "an endless price": (f"{PRICE}cached = inf", 5, "expected a finite number"),
    "no date": (
        f"{PRICE}from = 'spring'",
        5,
        'prices[1].from: found "spring", expected a date such as 2026-01-31',
    ),
    "a time": (f"{PRICE}from = 2026-01-01T10:00:00", 5, "expected a date such as 2026-01-31"),
    "a date elsewhere": ("[run]\nout = 2026-01-01", 2, 'found the date "2026-01-01"; put it in quotes'),
    "an end before the beginning": (
        f"{PRICE}from = 2026-02-01\nuntil = 2026-02-01",
        6,
        'the price of "lab/m" ends on 2026-02-01, before it begins',
    ),
    "two prices for one day": (
        f"{PRICE}{PRICE}",
        6,
        'there already is a price of "lab/m" for some of these days',
    ),
    "a model without a provider": (
        "models = ['a/b',\n'gpt-4o']",
        2,
        '"gpt-4o" is no model; name it provider/name',
    ),
    "a price of no model": (
        PRICE.replace("lab/m", "m"),
        2,
        '"m" is no model; name it provider/name, or provider/*',
    ),
    "a slash in a provider": ("[providers.'a/b']", 1, '"a/b" is no name of a provider'),
    "no address": (
        "[providers.lab]\nbase_url = 'localhost:8000'",
        2,
        'found "localhost:8000", expected an address that begins with https://',
    ),
    "no time": ("[providers.lab]\ntimeout_secs = 0", 2, "found 0, expected more than 0"),
    "retries below nothing": ("[limits]\nretries = -1", 2, "found -1, expected at least 0"),
    "no concurrency": ("[limits]\nmax_concurrency = 0", 2, "found 0, expected at least 1"),
    "a provider that is no table": ("providers.lab = 3", 1, "providers.lab: found 3, expected a table"),
    "providers that are a list": ("providers = [1]", 1, "providers: found a list, expected a table"),
    "no TOML": ("models = [", 1, "this is not TOML"),
}


@pytest.mark.parametrize(("text", "line", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = written(tmp_path, text, "steelyard.toml")

    with pytest.raises(InputError) as raised:
        read_config(path)

    assert f"{path}: this configuration cannot be used; 1 problem:" in str(raised.value)
    assert re.search(
        rf"^  {re.escape(f'{path}:{line}: ')}.*{re.escape(message)}", str(raised.value), re.MULTILINE
    )


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    path = written(
        tmp_path, "model = 'x'\n[limits]\nretries = 'many'\n[run]\nout = 2026-01-01", "steelyard.toml"
    )

    with pytest.raises(InputError, match="3 problems"):
        read_config(path)


@pytest.mark.parametrize(
    "key", ["api_key_env = 'sk-secret-123'", "api_key_env = ' sk-secret-123'", "api_key = 'sk-secret-123'"]
)
def test_a_key_that_stands_where_it_must_not_is_not_shown(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, f"[providers.lab]\n{key}", "steelyard.toml")

    with pytest.raises(InputError, match=re.escape(f"{path}:2: ")) as raised:
        read_config(path)

    assert "secret" not in str(raised.value)


def test_the_schema_for_editors_takes_what_the_reader_takes() -> None:
    schema = config_json_schema()
    good = {
        "models": ["a/b"],
        "providers": {"lab": {"kind": "openai", "options": {"command": ["x"]}}},
        "prices": [{"model": "a/b", "input": 0, "output": 1.5, "from": "2026-01-01"}],
        "limits": {"max_usd": 3},
        "run": {"out": "runs"},
    }

    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(good, schema)
    wrongs: list[dict[str, object]] = [
        {"model": []},
        {"prices": [{"model": "a/b", "input": 0}]},
        {"limits": {"max_usd": -1}},
    ]
    for wrong in wrongs:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_every_table_and_every_key_says_what_it_means() -> None:
    for kind in FORM.tables.values():
        assert kind.__doc__
        assert all(item.metadata["description"].endswith(".") for item in fields(kind))


@pytest.mark.parametrize(
    ("model", "input_usd", "output_usd"),
    [
        ("anthropic/claude-opus-4-5", 15, 75),
        ("anthropic/claude-sonnet-4", 3, 15),
        ("openai/gpt-4o", 5, 15),
    ],
)
def test_the_prices_of_seed_002_are_an_example(model: str, input_usd: int, output_usd: int) -> None:
    prices = PriceList(read_config(EXAMPLES / "prices-seed-002.toml").prices)
    used = Usage(tokens_in=1_000_000, tokens_out=1_000_000)

    cost = prices.cost_nano_usd(model, used, datetime(2026, 11, 1, tzinfo=UTC))

    assert cost == (input_usd + output_usd) * 1_000_000_000


def test_a_margin_above_everything_is_refused_but_for_cost_and_latency(tmp_path: Path) -> None:
    text = "[[gate.require]]\nmetric = 'latency'\nmargin = 5\n[[gate.require]]\nmetric = 'pass'\nmargin = 5\n"

    with pytest.raises(InputError, match=r"1 problem:\n.*:6: .*found 5, expected a margin up to 1"):
        read_config(written(tmp_path, text, "steelyard.toml"))
