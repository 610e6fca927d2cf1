"""Let a command take its options as records: one record for each group of options."""

from collections.abc import Callable
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, get_type_hints


def takes(*groups: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Turn a function of records into a command whose options are their fields, in this order."""

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        parameters = [one for group in groups for one in _parameters(group)]

        def command(**given: Any) -> None:  # noqa: ANN401  # what typer has read
            function(*(group(**{one.name: given[one.name] for one in fields(group)}) for group in groups))

        command.__name__, command.__doc__ = function.__name__, function.__doc__
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        return command

    return decorated


def _parameters(group: type) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            one.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if one.default is MISSING else one.default,
            annotation=hints[one.name],
        )
        for one in fields(group)
    ]
