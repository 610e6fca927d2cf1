"""Fill in the variables of a case: one case for each combination of values, each with a digest of its own.

`{{name}}` stands for a value in the prompt, the files, the expectations and the answers that a case brings
along. In a case without `variables` double braces are just text. A value called `id` names the combination.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from math import prod

from steelyard.model.sample import text_digest
from steelyard.sources.evalset.shape import CaseTable, ExpectationsTable
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import quote

MOST = 10_000  # cases made of one
_PLACE = re.compile(r"\{\{\s{0,9}([A-Za-z_]\w{0,99})\s{0,9}\}\}")
_SHORT = re.compile(r"[\w.+-]{1,24}")

NAME = "id"  # a variable that need not occur in a text

Values = Mapping[str, str]
Choices = Mapping[str, tuple[str, ...]]


def expand_variables(table: CaseTable) -> tuple[CaseTable, ...]:
    """Return the cases of a table, one for each combination of its variables, at most `MOST`."""
    if not table.variables:
        return (table,)
    made = ((row, values) for row in table.variables for values in _combinations(row))
    return tuple(_with(table, values, label=_label(row, values)) for row, values in islice(made, MOST))


def variable_problems(table: CaseTable, at: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Find placeholders without a value, values without a placeholder, and too many cases."""
    if not table.variables:
        return
    who, places = f"case {quote(table.id)}", {name for text in _texts(table) for name in _PLACE.findall(text)}
    count = sum(prod(len(values) for values in row.values()) for row in table.variables)
    if count > MOST:
        yield (*at, "variables"), f"{who}: the variables make {count} cases; {MOST} is the most"
    for number, row in enumerate(table.variables):
        here = (*at, "variables", number)
        for name in sorted(places - row.keys()):
            yield here, f"{who}: {{{{{name}}}}} has no value here; add {name} = …"
        for name in sorted(row.keys() - places - {NAME}):
            yield (
                (*here, name),
                f"{who}: there is no {{{{{name}}}}} in the prompt or anywhere else; remove {name}",
            )
        for name in sorted(name for name, values in row.items() if not values):
            yield (*here, name), f"{who}: the list of {name} is empty; give it a value"


def _combinations(row: Choices) -> Iterator[Values]:
    for values in product(*row.values()):
        yield dict(zip(row, values, strict=True))


def _label(row: Choices, values: Values) -> str:
    """Return the label of a combination: its name and what varies under it, or every value."""
    shown_names = [name for name in row if name != NAME and (NAME not in row or len(row[name]) > 1)]
    named = [values[NAME]] if NAME in row else []
    return ",".join([*named, *(f"{name}={_text(values[name])}" for name in shown_names)])


def _with(table: CaseTable, values: Values, *, label: str) -> CaseTable:
    """Return a case with these values in their places."""
    return replace(
        table,
        id=f"{table.id}[{label}]",
        cluster=table.cluster or table.id,
        name=_put(table.name, values),
        description=_put(table.description, values),
        prompt=_put(table.prompt, values),
        files={path: _put(text, values) for path, text in table.files.items()},
        expectations=_expectations(table.expectations, values),
        reference=_put_or_none(table.reference, values),
        wrong=tuple(_put(text, values) for text in table.wrong),
        variables=(),
    )


def _expectations(table: ExpectationsTable, values: Values) -> ExpectationsTable:
    return replace(
        table,
        tests=_put_or_none(table.tests, values),
        test_file=_put_or_none(table.test_file, values),
        custom_check=_put_or_none(table.custom_check, values),
        settings={name: _put(text, values) for name, text in table.settings.items()},
        function=_put(table.function, values),
        calls=tuple(
            replace(
                call,
                name=_put(call.name, values),
                raises=_put_or_none(call.raises, values),
                args=tuple(_put_plain(item, values) for item in call.args),
                kwargs={name: _put_plain(item, values) for name, item in call.kwargs.items()},
                returns=_put_plain(call.returns, values),
            )
            for call in table.calls
        ),
        io=tuple(
            replace(
                entry,
                name=_put(entry.name, values),
                args=tuple(_put(text, values) for text in entry.args),
                stdin=_put(entry.stdin, values),
                stdout=_put(entry.stdout, values),
            )
            for entry in table.io
        ),
        comparator=_put(table.comparator, values),
        functions=_put_each(table.functions, values),
        expected_functions=_put_each(table.expected_functions, values),
        types=_put_each(table.types, values),
        expected_types=_put_each(table.expected_types, values),
    )


def _texts(table: CaseTable) -> Iterator[str]:
    """Yield every text that may hold a variable."""
    expectations = table.expectations
    yield from (
        table.name,
        table.description,
        table.prompt,
        *table.files.values(),
        *expectations.settings.values(),
    )
    yield from table.wrong
    yield from (
        expectations.function,
        expectations.comparator,
        *(text for item in expectations.io for text in (item.name, item.stdin, item.stdout, *item.args)),
    )
    for names in (
        expectations.functions,
        expectations.expected_functions,
        expectations.types,
        expectations.expected_types,
    ):
        yield from names or ()
    for call in expectations.calls:
        yield from (call.name, call.raises or "")
        yield from _plain_texts([*call.args, *call.kwargs.values(), call.returns])
    yield from (
        text or ""
        for text in (table.reference, expectations.tests, expectations.test_file, expectations.custom_check)
    )


def _put(text: str, values: Values) -> str:
    return _PLACE.sub(lambda index: values.get(index[1], index[0]), text)


def _put_each(texts: tuple[str, ...] | None, values: Values) -> tuple[str, ...] | None:
    return None if texts is None else tuple(_put(text, values) for text in texts)


def _put_plain(value: object, values: Values) -> object:
    """Return plain data with these values in the places of its texts."""
    if isinstance(value, list):
        return [_put_plain(item, values) for item in value]
    if isinstance(value, dict):
        return {name: _put_plain(item, values) for name, item in value.items()}
    return _put(value, values) if isinstance(value, str) else value


def _plain_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from _plain_texts(item)


def _put_or_none(text: str | None, values: Values) -> str | None:
    return None if text is None else _put(text, values)


def _text(value: str) -> str:
    """Return a value for an id: itself if it is short and plain, else a name for it."""
    return value if _SHORT.fullmatch(value) else text_digest(value)[:8]
