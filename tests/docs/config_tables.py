"""Draw a table of the keys of each table of `steelyard.toml`, as its published schema knows them.

`python -m tests.docs.config_tables` prints them all, to be put into docs/reference/config.md.
"""

import sys

from steelyard.sources.config.read import config_json_schema
from tests.docs.eval_set_tables import rows

TITLES = {
    "[providers.NAME]": "ProviderTable",
    "[[prices]]": "PriceTable",
    "[limits]": "LimitsTable",
    "[run]": "RunTable",
    "[gate]": "GateTable",
    "[[gate.require]]": "RequireTable",
}


def config_rows(title: str) -> list[list[str]]:
    """Return a row for each key of a table."""
    return rows(TITLES[title], config_json_schema())


if __name__ == "__main__":
    for title in TITLES:
        lines = [f"## {title}\n", "| key | takes | default | meaning |", "|---|---|---|---|"]
        lines += [f"| {' | '.join(row)} |" for row in config_rows(title)]
        sys.stdout.write("\n".join(lines) + "\n\n")
