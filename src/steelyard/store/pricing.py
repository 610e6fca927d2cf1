"""Compute the cost of rows without one from token prices."""

from collections.abc import Sequence

from steelyard.errors import InputError
from steelyard.model.price import ANY, Price
from steelyard.store.database import sql_text

TOKENS = frozenset({"tokens_in", "tokens_out"})
NANO_USD_PER_TOKEN = 1000  # of a price of one dollar for a million tokens


def priced(rows: str, columns: frozenset[str], prices: Sequence[Price]) -> tuple[str, frozenset[str]]:
    """Return the SQL of `rows` with a cost wherever tokens have a price, and the columns that gives.

    A cost that the input states stays. The first price of a model counts; a model without one has no cost.
    """
    if not prices:
        return rows, columns
    if not columns >= TOKENS:
        raise InputError(
            "`price`: no columns hold tokens to be priced; name them: `map=tokens_in=COLUMN` and "
            "`map=tokens_out=COLUMN`"
        )
    cost = f"CASE {' '.join(map(_when, prices))} END"
    if "cost_nano" in columns:
        return f"SELECT * REPLACE (coalesce(cost_nano, {cost}) AS cost_nano) FROM ({rows})", columns
    return f"SELECT *, {cost} AS cost_nano FROM ({rows})", columns | {"cost_nano"}


def _when(price: Price) -> str:
    is_every = price.model.endswith(f"/{ANY}")
    named = (
        f"starts_with(model, {sql_text(price.model[:-1])})"
        if is_every
        else f"model = {sql_text(price.model)}"
    )
    parts = (("tokens_in", price.input_usd), ("tokens_out", price.output_usd))
    sums = " + ".join(
        f"CAST({column} AS DECIMAL(18, 0)) * CAST('{usd * NANO_USD_PER_TOKEN:f}' AS DECIMAL(18, 6))"
        for column, usd in parts
    )
    return f"WHEN {named} THEN CAST({sums} AS BIGINT)"
