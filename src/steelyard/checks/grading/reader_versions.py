"""Versions of the parsers of answers: `regrade` checks again if they change."""

from importlib.metadata import PackageNotFoundError, version

REPAIR_RULE = "2"  # raise it with any change in `text/repair.py`


def html_tools() -> dict[str, str]:
    """Return the version of the HTML parser, if installed."""
    try:
        return {"justhtml": version("justhtml")}
    except PackageNotFoundError:
        return {}


def repair_tools() -> dict[str, str]:
    """Return the version of the rules that repair JSON."""
    return {"repair": REPAIR_RULE}


def pattern_tools() -> dict[str, str]:
    """Return the version of the pattern library."""
    return {"regex": version("regex")}
