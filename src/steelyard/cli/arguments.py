"""Turn what a user types into values, or say what is wrong with it.

Text in, plain values out; no command lives here.
"""

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

LONGEST_SHOWN = 40  # characters of a wrong value that a message shows
_BETWEEN_NAMES = re.compile(r",(?![^\[\]]*\])")


def ks(texts: Iterable[str], *, option: str) -> tuple[int, ...]:
    """Read lists such as `1,5,10`, in ascending order and each k once."""
    found = set()
    for part in ",".join(texts).split(","):
        text = part.strip()
        if not re.fullmatch("0*[1-9][0-9]{0,8}", text):
            shown = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
            raise UserError(f"{option}: expected whole numbers from 1 on, such as 1,5,10; got {shown!r}")
        found.add(int(text))
    return tuple(sorted(found))


def words(text: str | None) -> tuple[str, ...]:
    """Read a list of words with commas between them.

    >>> words("T0, T1"), words(None)
    (('T0', 'T1'), ())
    """
    return tuple(word.strip() for word in (text or "").split(",") if word.strip())


def case_names(text: str | None) -> tuple[str, ...]:
    """Read names of cases with commas between them; a comma within brackets belongs to a name.

    >>> case_names("add, sum[a=1,b=3]"), case_names(None)
    (('add', 'sum[a=1,b=3]'), ())
    """
    return tuple(word.strip() for word in _BETWEEN_NAMES.split(text or "") if word.strip())


def pairs(texts: Iterable[str], *, option: str) -> dict[str, str]:
    """Read `NAME=VALUE` texts."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise UserError(f"{option} {text}: expected NAME=VALUE")
        if name in found:
            raise UserError(f"{option} {text}: {name!r} was given twice")
        found[name] = value
    return found


def numbers(texts: Iterable[str], *, option: str) -> dict[str, Fraction]:
    """Read `NAME=NUMBER` texts exactly: 0.1 is one tenth."""
    return {
        name: number(value, option=f"{option} {name}") for name, value in pairs(texts, option=option).items()
    }


def number(text: str, *, option: str) -> Fraction:
    """Read one number exactly."""
    try:
        return exact(text)
    except DomainError:
        raise UserError(f"{option}: expected a number, got {text!r}") from None


def expert_usd(text: str | None) -> Fraction | None:
    """Read what an expert takes for a case."""
    return None if text is None else usd(text, name="expert_usd")


def optional_ks(text: str | None) -> tuple[int, ...] | None:
    """Read `--pass-k`; None: the user leaves it to the run."""
    return None if text is None else ks([text], option="--pass-k")


def run_report(pass_k: str | None, baseline_tier: str, expert: str | None) -> ReportOptions:
    """Read the options of the report that a run ends with."""
    return ReportOptions(
        pass_k=optional_ks(pass_k), baseline_tier=baseline_tier, expert_usd=expert_usd(expert)
    )


def latency_bounds(good: str | None, bad: str | None) -> LatencyBounds | None:
    """Return the latencies that score 1 and 0, or None when no latency score is wanted."""
    if good is None and bad is None:
        return None
    if good is None or bad is None:
        raise UserError("a latency score needs both --latency-good and --latency-bad")
    return LatencyBounds(
        good_s=number(good, option="--latency-good"), bad_s=number(bad, option="--latency-bad")
    )


def prices(texts: Iterable[str]) -> tuple[Price, ...]:
    """Read `MODEL=INPUT/OUTPUT` texts: US dollars for a million tokens.

    >>> prices(["lab/m=3/15"])[0].output_usd
    Decimal('15')
    """
    found = []
    for model, text in pairs(texts, option="--price").items():
        amounts = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)/([0-9]+(?:\.[0-9]+)?)", text)
        if amounts is None:
            raise UserError(f"--price {model}={text}: expected MODEL=INPUT/OUTPUT, such as lab/m=3/15")
        cost_in, cost_out = map(Decimal, amounts.groups())
        found.append(Price(model=model, input_usd=cost_in, output_usd=cost_out))
    return tuple(found)


def penalties(texts: Iterable[str]) -> dict[Classification, Fraction]:
    """Read `refusal=0.5` texts."""
    found: dict[Classification, Fraction] = {}
    for name, value in numbers(texts, option="--penalty").items():
        if name not in FAILURES:
            raise UserError(f"--penalty {name}: not a kind of failure; they are {', '.join(FAILURES)}")
        found[Classification(name)] = value
    return found


def rule_choice(
    scoring: str | None, weight: Iterable[str], penalty: Iterable[str], pass_score: str | None = None
) -> "steelyard.RuleChoice":
    """Read the options that choose a scoring rule."""
    return steelyard.RuleChoice(
        name=scoring,
        weights=numbers(weight, option="--weight"),
        penalties=penalties(penalty),
        pass_score=None if pass_score is None else number(pass_score, option="--pass-score"),
    )
