"""Let one option take several values, as in `--k-values 1 5 10`."""

from collections.abc import Sequence

SPREAD_OPTIONS = frozenset({"--k-values"})  # options that take all the values up to the next option


def spread_values(argv: Sequence[str]) -> list[str]:
    """Rewrite `--k-values 1 5 10` to `--k-values 1 --k-values 5 --k-values 10`, which the parser knows.

    >>> spread_values(["--k-values", "1", "5", "--fixes-csv", "f"])
    ['--k-values', '1', '--k-values', '5', '--fixes-csv', 'f']
    """
    result: list[str] = []
    option: str | None = None
    for word in argv:
        if word in SPREAD_OPTIONS:
            option = word
            if result[-1:] == [word]:
                result.append("")
            result.append(word)
        elif option is not None and not word.startswith("-"):
            if result[-1] != option:
                result.append(option)
            result.append(word)
        else:
            option = None
            result.append(word)
    return result
