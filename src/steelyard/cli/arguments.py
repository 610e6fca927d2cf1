"""Parse option values; raise a UserError for invalid ones."""

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

import steelyard
from steelyard.app.amounts import exact, usd
from steelyard.errors import DomainError, UserError
from steelyard.model.options import LatencyBounds, ReportOptions
from steelyard.model.outcome import FAILURES, Classification
from steelyard.model.price import Price

MAX_QUOTED_CHARACTERS = 40  # of an invalid value, in a message
_BETWEEN_NAMES = re.compile(r",(?![^\[\]]*\])")


def ks(texts: Iterable[str], *, option: str) -> tuple[int, ...]:
    """Parse lists such as `1,5,10`; return each k once, in ascending order."""
    values = set()
    for part in ",".join(texts).split(","):
        text = part.strip()
        if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
            is_short = len(text) <= MAX_QUOTED_CHARACTERS
            quoted = text if is_short else f"{text[:MAX_QUOTED_CHARACTERS]}…"
            raise UserError(f"{option}: expected integers from 1, such as 1,5,10; got {quoted!r}")
        values.add(int(text))
    return tuple(sorted(values))


def words(text: str | None) -> tuple[str, ...]:
    """Split a comma-separated list.

    >>> words("T0, T1"), words(None)
    (('T0', 'T1'), ())
    """
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def case_names(text: str | None) -> tuple[str, ...]:
    """Split a comma-separated list of cases; commas in brackets do not separate.

    >>> case_names("add, sum[a=1,b=3]"), case_names(None)
    (('add', 'sum[a=1,b=3]'), ())
    """
    return tuple(word.strip() for word in _BETWEEN_NAMES.split(text or "") if word.strip())


def pairs(texts: Iterable[str], *, option: str) -> dict[str, str]:
    """Parse `NAME=VALUE` texts."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise UserError(f"{option} {text}: expected NAME=VALUE")
        if name in values:
            raise UserError(f"{option} {text}: duplicate name {name!r}")
        values[name] = value
    return values


def model_names(texts: Iterable[str]) -> tuple[str | None, dict[str, str]]:
    """Return the model of all rows, and the other names of models.

    >>> model_names(["gpt", "a=b"])
    ('gpt', {'a': 'b'})
    """
    given = list(texts)
    plain = [text for text in given if "=" not in text]
    if len(plain) > 1:
        raise UserError(f"--model {plain[1]}: all rows have the model {plain[0]!r} already")
    return next(iter(plain), None), pairs([text for text in given if "=" in text], option="--model")


def numbers(texts: Iterable[str], *, option: str) -> dict[str, Fraction]:
    """Parse `NAME=NUMBER` texts as exact fractions."""
    return {
        name: number(value, option=f"{option} {name}") for name, value in pairs(texts, option=option).items()
    }


def number(text: str, *, option: str) -> Fraction:
    """Parse a number as an exact fraction."""
    try:
        return exact(text)
    except DomainError:
        raise UserError(f"{option}: expected a number, got {text!r}") from None


def expert_usd(text: str | None) -> Fraction | None:
    """Parse the price of an expert's solution."""
    return None if text is None else usd(text, name="expert_usd")


def optional_ks(text: str | None) -> tuple[int, ...] | None:
    """Parse `--pass-k`; None: use the value of the run."""
    return None if text is None else ks([text], option="--pass-k")


def run_report(pass_k: str | None, baseline_tier: str, expert: str | None) -> ReportOptions:
    """Make the report options of `run`."""
    return ReportOptions(
        pass_k=optional_ks(pass_k), baseline_tier=baseline_tier, expert_usd=expert_usd(expert)
    )


def latency_bounds(good: str | None, bad: str | None) -> LatencyBounds | None:
    """Parse the latencies that score 1 and 0; None without a latency score."""
    if good is None and bad is None:
        return None
    if good is None or bad is None:
        raise UserError("a latency score needs both --latency-good and --latency-bad")
    return LatencyBounds(
        good_s=number(good, option="--latency-good"), bad_s=number(bad, option="--latency-bad")
    )


def prices(texts: Iterable[str]) -> tuple[Price, ...]:
    """Parse `MODEL=INPUT/OUTPUT` texts: US dollars per million tokens.

    >>> prices(["lab/m=3/15"])[0].output_usd
    Decimal('15')
    """
    parsed = []
    for model, text in pairs(texts, option="--price").items():
        amounts = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)/([0-9]+(?:\.[0-9]+)?)", text)
        if amounts is None:
            raise UserError(f"--price {model}={text}: expected MODEL=INPUT/OUTPUT, such as lab/m=3/15")
        cost_in, cost_out = map(Decimal, amounts.groups())
        parsed.append(Price(model=model, input_usd=cost_in, output_usd=cost_out))
    return tuple(parsed)


def penalties(texts: Iterable[str]) -> dict[Classification, Fraction]:
    """Parse texts such as `refusal=0.5`."""
    parsed: dict[Classification, Fraction] = {}
    for name, value in numbers(texts, option="--penalty").items():
        if name not in FAILURES:
            raise UserError(f"--penalty {name}: unknown failure; choose from {', '.join(FAILURES)}")
        parsed[Classification(name)] = value
    return parsed


def rule_choice(
    scoring: str | None, weight: Iterable[str], penalty: Iterable[str], pass_score: str | None = None
) -> "steelyard.RuleChoice":
    """Parse the options that choose a scoring rule."""
    return steelyard.RuleChoice(
        name=scoring,
        weights=numbers(weight, option="--weight"),
        penalties=penalties(penalty),
        pass_score=None if pass_score is None else number(pass_score, option="--pass-score"),
    )
