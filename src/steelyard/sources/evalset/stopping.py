"""Check the stop rule of an eval set, which is written as on the command line: `maximum=10,passes=1`."""

import re

_PART = re.compile(r"(?:(?P<name>maximum|minimum|passes|failures)=(?P<number>[1-9]\d{0,8})|unanimous)")
FORM = "expected maximum=N and any of minimum=N, passes=N, failures=N, unanimous"


def stop_rule_problem(text: str | None, *, samples: int | None) -> str | None:
    """Return what is wrong with a stop rule, or None.

    >>> stop_rule_problem("maximum=10,passes=1", samples=10) is None
    True
    >>> stop_rule_problem("maximum=10,passes=1", samples=5)
    'the rule draws up to 10 samples, but samples = 5; make them equal'
    """
    if text is None:
        return None
    parts = [_PART.fullmatch(part) for part in text.split(",")]
    numbers = {part["name"]: int(part["number"]) for part in parts if part and part["name"]}
    if None in parts or "maximum" not in numbers or len(text.split(",")) != len(set(text.split(","))):
        return f"found {text!r}, {FORM}"
    maximum = numbers["maximum"]
    if numbers.get("minimum", 1) > maximum:
        return f"found {text!r}: the minimum is above the maximum"
    if samples not in {None, maximum}:
        return f"the rule draws up to {maximum} samples, but samples = {samples}; make them equal"
    return None
