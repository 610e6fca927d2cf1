"""The versions of what reads answers: with a new one, `regrade` checks again."""

from importlib.metadata import PackageNotFoundError, version

REPAIR_RULE = "2"  # raise it when `text/repair.py` reads anything differently


def html_tools() -> dict[str, str]:
    """Return the library that reads HTML, if it is installed."""
    try:
        return {"justhtml": version("justhtml")}
    except PackageNotFoundError:
        return {}


def repair_tools() -> dict[str, str]:
    """Return the rule by which almost-JSON is read."""
    return {"repair": REPAIR_RULE}


def pattern_tools() -> dict[str, str]:
    """Return the library that searches for patterns."""
    return {"regex": version("regex")}
