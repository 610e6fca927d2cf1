"""A stated price covers the models and days it names, and counts every kind of token."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from steelyard.model.price import Price
from steelyard.model.request import Usage

SONNET = Price(
    model="anthropic/claude-sonnet-4",
    input_usd=Decimal(3),
    output_usd=Decimal(15),
    cached_usd=Decimal("0.3"),
    cache_write_usd=Decimal("3.75"),
)


def dated(starts: date | None, until: date | None, model: str = "lab/m") -> Price:
    return Price(model=model, input_usd=Decimal(1), output_usd=Decimal(1), starts=starts, until=until)


def test_cached_and_cache_written_tokens_have_their_own_prices() -> None:
    used = Usage(tokens_in=1_000_000, tokens_out=200_000, tokens_cached=600_000, tokens_cache_written=100_000)

    assert SONNET.usd(used) == Decimal("0.9") + Decimal("0.18") + Decimal("0.375") + Decimal(3)


def test_without_prices_of_their_own_they_cost_what_the_rest_does() -> None:
    price = Price(model="m", input_usd=Decimal(2), output_usd=Decimal(8))
    used = Usage(
        tokens_in=900, tokens_out=100, tokens_cached=300, tokens_cache_written=300, tokens_reasoning=90
    )

    assert price.usd(used) == (900 * Decimal(2) + 100 * Decimal(8)) / 1_000_000


def test_reasoning_is_part_of_the_answer_and_a_call_may_cost_something_by_itself() -> None:
    price = Price(
        model="m",
        input_usd=Decimal(0),
        output_usd=Decimal(8),
        reasoning_usd=Decimal(3),
        call_usd=Decimal("0.005"),
    )

    assert price.usd(Usage(tokens_in=10, tokens_out=100, tokens_reasoning=75)) == Decimal("0.005425")


@pytest.mark.parametrize(
    "used",
    [
        Usage(tokens_out=5),
        Usage(tokens_in=5),
        Usage(tokens_in=5, tokens_out=-1),
        Usage(tokens_in=5, tokens_out=1, tokens_cached=6),
        Usage(tokens_in=5, tokens_out=1, tokens_cached=3, tokens_cache_written=3),
        Usage(tokens_in=5, tokens_out=1, tokens_cached=-1),
        Usage(tokens_in=5, tokens_out=1, tokens_reasoning=2),
    ],
)
def test_the_cost_of_unknown_or_impossible_tokens_is_unknown(used: Usage) -> None:
    assert SONNET.usd(used) is None


def test_a_price_holds_from_the_first_day_to_before_the_last() -> None:
    price = dated(date(2026, 2, 1), date(2026, 3, 1))
    moments = [
        datetime(2026, 1, 31, 23, 59, tzinfo=UTC),
        datetime(2026, 2, 1, tzinfo=UTC),
        datetime(2026, 2, 28, 23, 59, tzinfo=UTC),
        datetime(2026, 3, 1, tzinfo=UTC),
        datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=2))),  # which is still February in UTC
    ]

    assert [price.covers("lab/m", at) for at in moments] == [False, True, True, False, True]


def test_a_star_stands_for_every_model_of_a_provider_and_nothing_else() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    whole = dated(None, None, "lab/*")

    assert [whole.covers(model, at) for model in ("lab/m", "lab/a/b", "laboratory/m")] == [True, True, False]
    assert not dated(None, None).covers("lab/m2", at)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((None, None), (None, None), True),
        ((None, date(2026, 1, 1)), (date(2026, 1, 1), None), False),
        ((None, date(2026, 1, 2)), (date(2026, 1, 1), None), True),
        ((date(2026, 1, 1), date(2026, 2, 1)), (date(2026, 1, 15), date(2026, 1, 16)), True),
    ],
)
def test_two_prices_overlap_on_the_days_that_both_cover(
    first: tuple[date | None, date | None], second: tuple[date | None, date | None], *, expected: bool
) -> None:
    assert dated(*first).overlaps(dated(*second)) is expected
    assert dated(*second).overlaps(dated(*first)) is expected
    assert not dated(*first).overlaps(dated(*second, model="lab/other"))
