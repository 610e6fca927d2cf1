"""Costs are exact, a ceiling is never below a cost, and what nobody knows is unknown."""

import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache

import pytest
from genai_prices import Usage as TheirUsage
from genai_prices import data_snapshot
from hypothesis import given
from hypothesis import strategies as st

from steelyard.model.config import ProviderSettings
from steelyard.model.price import Price
from steelyard.model.request import Parameters, Request, Usage
from steelyard.model.sample import SampleKey
from steelyard.providers.llm.dialect import with_files
from steelyard.providers.prices.library import library_price
from steelyard.providers.prices.price_list import DEFAULT_MAX_TOKENS, PriceList

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
USED = Usage(tokens_in=1_000, tokens_out=500)
COUNTS = st.integers(min_value=0, max_value=400_000)


def stated(
    model: str, input_usd: str, output_usd: str, *, starts: date | None = None, until: date | None = None
) -> Price:
    return Price(
        model=model,
        input_usd=Decimal(input_usd),
        output_usd=Decimal(output_usd),
        starts=starts,
        until=until,
    )


def asked(
    model: str, prompt: str = "p", *, max_tokens: int | None = None, context: dict[str, str] | None = None
) -> Request:
    return Request(
        key=SampleKey(model, "T0", "s", "c", "d", 0),
        prompt=prompt,
        system_prompt="Be brief.",
        context=context or {},
        parameters=Parameters(max_tokens=max_tokens),
    )


@cache
def priced_models() -> list[tuple[str, str]]:
    providers = data_snapshot.get_snapshot().providers
    return [(one.id, model.id) for one in providers for model in one.models]


@pytest.mark.parametrize(
    ("model", "nano_usd"),
    [
        ("openai/gpt-4o", 1_000 * 2_500 + 500 * 10_000),
        ("openai/gpt-4o-2024-08-06", 1_000 * 2_500 + 500 * 10_000),
        ("azure/gpt-4o", 1_000 * 2_500 + 500 * 10_000),
        ("anthropic/claude-sonnet-4-0", 1_000 * 3_000 + 500 * 15_000),
        ("openrouter/anthropic/claude-sonnet-4", 1_000 * 3_000 + 500 * 15_000),
        ("google/gemini-2.5-pro", 1_000 * 1_250 + 500 * 10_000),
    ],
)
def test_the_list_knows_the_models_of_vendors_and_of_those_who_resell_them(model: str, nano_usd: int) -> None:
    assert PriceList().cost_nano_usd(model, USED, AT) == nano_usd


@pytest.mark.parametrize(
    "model",
    [
        "openai/gpt-4o-of-my-own",
        "my-openai/gpt-4o",
        "ollama/llama3.3",
        "vllm/openai/gpt-4o",
        "azure/deployment-7",
        "command/agent",
        "openai/text-embedding-3-small",
        "gpt-4o",
    ],
)
def test_a_price_that_nobody_knows_is_unknown(model: str) -> None:
    prices = PriceList()

    assert not prices.knows(model, AT)
    assert prices.cost_nano_usd(model, USED, AT) is None
    assert prices.ceiling_nano_usd(asked(model), AT) is None


def test_what_is_stated_wins_over_the_list_and_the_first_of_several_wins() -> None:
    prices = PriceList([stated("openai/gpt-4o", "5", "15"), stated("openai/gpt-4o", "7", "7")])

    assert prices.cost_nano_usd("openai/gpt-4o", USED, AT) == 1_000 * 5_000 + 500 * 15_000


def test_a_dated_price_holds_on_its_days_and_the_list_on_all_others() -> None:
    prices = PriceList(
        [stated("openai/gpt-4o", "5", "15", starts=date(2024, 5, 13), until=date(2024, 10, 2))]
    )

    assert prices.cost_nano_usd("openai/gpt-4o", USED, datetime(2024, 6, 1, tzinfo=UTC)) == 12_500_000
    assert prices.cost_nano_usd("openai/gpt-4o", USED, AT) == 7_500_000


def test_a_machine_of_ones_own_costs_what_its_owner_says_even_nothing() -> None:
    prices = PriceList([stated("ollama/*", "0", "0")])

    assert prices.knows("ollama/llama3.3:70b", AT)
    assert prices.cost_nano_usd("ollama/llama3.3:70b", USED, AT) == 0
    assert prices.ceiling_nano_usd(asked("ollama/llama3.3:70b"), AT) == 0


@pytest.mark.parametrize(
    ("settings", "is_known"),
    [
        (ProviderSettings(name="team", kind="openai", api_key_env="TEAM_KEY"), True),
        (ProviderSettings(name="team", kind="openai", base_url="http://127.0.0.1:8000/v1"), False),
        (ProviderSettings(name="team", kind="azure", base_url="http://127.0.0.1:8000"), True),
        (ProviderSettings(name="openai", base_url="http://127.0.0.1:8000/v1"), True),
    ],
)
def test_a_vendors_prices_hold_for_other_names_but_not_for_other_servers(
    settings: ProviderSettings, *, is_known: bool
) -> None:
    prices = PriceList(providers={settings.name: settings})

    assert prices.knows(f"{settings.name}/gpt-4o", AT) is is_known


@given(
    place=st.integers(min_value=0),
    cached=COUNTS,
    written=COUNTS,
    fresh=COUNTS,
    said=COUNTS,
    thought=COUNTS,
)
def test_the_whole_list_is_counted_exactly_as_the_library_counts_it(  # noqa: PLR0913, PLR0917  # kinds of tokens
    place: int, cached: int, written: int, fresh: int, said: int, thought: int
) -> None:
    vendor, name = priced_models()[place % len(priced_models())]
    price = library_price(vendor, name, AT)
    providers = data_snapshot.get_snapshot().providers
    provider = next(one for one in providers if one.id == vendor)
    model = provider.find_model(name, all_providers=providers)
    prompt, answer = fresh + cached + written, said + thought
    used = Usage(
        tokens_in=prompt,
        tokens_out=answer,
        tokens_cached=cached,
        tokens_cache_written=written,
        tokens_reasoning=thought,
    )
    theirs = TheirUsage(
        input_tokens=prompt,
        output_tokens=answer,
        cache_read_tokens=cached,
        cache_write_tokens=written,
        output_reasoning_tokens=thought,
    )

    if price is None or model is None:  # such as one that is priced by the hour
        return
    assert price.usd(used) == model.calc_price(theirs, provider, genai_request_timestamp=AT).total_price


def test_most_of_the_list_is_of_use() -> None:
    known = [library_price(vendor, name, AT) is not None for vendor, name in priced_models()]

    assert sum(known) > 0.8 * len(known) > 1_000


@given(
    place=st.integers(min_value=0),
    prompt=st.text(max_size=30),
    times=st.sampled_from([1, 1_000, 20_000]),
    answer=st.integers(min_value=1, max_value=5_000),
    shares=st.tuples(*[st.floats(min_value=0, max_value=1)] * 4),
)
def test_no_call_costs_more_than_its_ceiling(
    place: int, prompt: str, times: int, answer: int, shares: tuple[float, float, float, float]
) -> None:
    model = "/".join(priced_models()[place % len(priced_models())])
    request = asked(model, prompt * times, max_tokens=answer)
    # A token may be as short as one byte, but not shorter.
    tokens = int(shares[0] * len(f"{request.system_prompt}{request.prompt}".encode()))
    cached = int(shares[1] * tokens)
    used = Usage(
        tokens_in=tokens,
        tokens_out=answer,
        tokens_cached=cached,
        tokens_cache_written=int(shares[2] * (tokens - cached)),
        tokens_reasoning=int(shares[3] * answer),
    )

    ceiling, cost = PriceList().ceiling_nano_usd(request, AT), PriceList().cost_nano_usd(model, used, AT)

    assert (ceiling is None) == (cost is None)
    assert ceiling is None or cost is None or cost <= ceiling


def test_files_that_are_shown_are_part_of_the_prompt() -> None:
    context = {"a.md": "````\n" * 50, "b" * 300: "", "ü.py": "print('ü')\n"}
    price = stated("lab/m", "1000", "0")

    ceiling = PriceList([price]).ceiling_nano_usd(asked("lab/m", "Mend it.", context=context), AT)

    worded = f"Be brief.{with_files('Mend it.', context)}"
    assert ceiling is not None
    assert len(worded.encode()) * 1_000_000 < ceiling < 3 * len(worded.encode()) * 1_000_000


def test_an_answer_ends_where_the_request_or_the_model_or_the_default_says() -> None:
    free_prompt = Price(model="lab/m", input_usd=Decimal(0), output_usd=Decimal(1), max_tokens=2_000)
    silent = stated("lab/*", "0", "1")
    ceilings = [
        PriceList([free_prompt]).ceiling_nano_usd(asked("lab/m", max_tokens=100), AT),
        PriceList([free_prompt]).ceiling_nano_usd(asked("lab/m"), AT),
        PriceList([silent]).ceiling_nano_usd(asked("lab/m"), AT),
        PriceList([silent]).ceiling_nano_usd(asked("lab/m"), AT, 7),
    ]

    assert ceilings == [100_000, 2_000_000, DEFAULT_MAX_TOKENS * 1_000, 7_000]


@pytest.mark.parametrize(("tokens", "nano_usd"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 2), (7, 4)])
def test_rounding_is_half_even_and_comes_last(tokens: int, nano_usd: int) -> None:
    half = stated("lab/m", "0.0005", "0")

    cost = PriceList([half]).cost_nano_usd("lab/m", Usage(tokens_in=tokens, tokens_out=0), AT)

    assert cost == nano_usd


def test_the_list_is_loaded_only_when_a_price_is_asked_for() -> None:
    code = (
        "import sys, steelyard.providers.prices.price_list as p; p.PriceList(); "
        "print('genai_prices' in sys.modules)"
    )

    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert said == "False\n"


def test_without_the_library_only_stated_prices_are_known() -> None:
    code = (
        "import sys; sys.modules['genai_prices'] = None\n"
        "from datetime import UTC, datetime\n"
        "from steelyard.providers.prices.price_list import PriceList\n"
        "print(PriceList().knows('openai/gpt-4o', datetime.now(UTC)))"
    )

    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert said == "False\n"


def test_another_protocol_of_a_vendor_costs_the_same() -> None:
    cost = PriceList().cost_nano_usd("openai-responses/gpt-4o", USED, AT)

    assert cost
    assert cost == PriceList().cost_nano_usd("openai/gpt-4o", USED, AT)
