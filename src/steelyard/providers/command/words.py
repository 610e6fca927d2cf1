"""Fill the placeholders of an agent's command line.

No shell is involved: each value remains one argument.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches

from steelyard.errors import REJECTED, ProviderError
from steelyard.model.request import Parameters, Request

FOLDER = ".steelyard"  # in the workspace; excluded from the answer
PROMPT_FILE = f"{FOLDER}/prompt.md"
SYSTEM_PROMPT_FILE = f"{FOLDER}/system-prompt.md"
SYSTEM_PROMPT = "system_prompt_file"
PARAMETERS = tuple(field.name for field in fields(Parameters))
KNOWN = ("model", "prompt", "prompt_file", SYSTEM_PROMPT, *PARAMETERS)
LONGEST = 128 * 1024 - 1  # Linux's limit of one argument

_BRACES = re.compile(r"\{\{(?P<plain>[a-z_]+)\}\}|\{(?P<name>[a-z_]+)\}")


def check_words(words: tuple[str, ...]) -> None:
    """Reject unknown placeholders.

    >>> check_words(("agent", "{modell}"))
    Traceback (most recent call last):
    ValueError: 'command' holds {modell}; is it {model}? For the plain text, write {{modell}}
    """
    for name in used_names(words):
        if name not in KNOWN:
            near = get_close_matches(name, KNOWN, n=1) or ["}, {".join(KNOWN)]
            raise ValueError(
                f"'command' holds {{{name}}}; is it {{{near[0]}}}? For the plain text, write {{{{{name}}}}}"
            )


def used_names(words: tuple[str, ...]) -> list[str]:
    """Return the names of the placeholders.

    >>> used_names(("agent", "--model={model}", "{{plain}}", '{"json": {}}'))
    ['model']
    """
    return [match["name"] for word in words for match in _BRACES.finditer(word) if match["name"]]


def dropped_parameters(words: tuple[str, ...], given: Iterable[str], ignored: frozenset[str]) -> str | None:
    """Return an error message if the command ignores given parameters.

    >>> dropped_parameters(("agent", "{seed}"), ["seed", "top_p"], frozenset())
    "the run sets top_p; add {top_p} to the agent's command, or ignore it: ignore = ['top_p']"
    """
    names = [name for name in given if name not in {*used_names(words), *ignored}]
    if not names:
        return None
    listed, places = ", ".join(names), " ".join(f"{{{name}}}" for name in names)
    return f"the run sets {listed}; add {places} to the agent's command, or ignore it: ignore = {names}"


def filled(
    words: tuple[str, ...], request: Request, *, ignored: frozenset[str], folder: str = FOLDER
) -> tuple[str, ...]:
    """Return the command line of a request; raises ProviderError for unused parameters.

    `folder` has the files of prompts.
    """
    values = dict(_list_values(words, request, folder))
    given = [name for name in PARAMETERS if getattr(request.parameters, name) is not None]
    if dropped := dropped_parameters(words, given, ignored):
        raise _reject(dropped)
    for name in PARAMETERS:
        if name in used_names(words) and name not in given:
            raise _reject(f"the agent's command uses {{{name}}}, but the run sets no {name}")
    line = tuple(_fill_word(word, values) for word in words)
    if max(len(word.encode("utf-8", "replace")) for word in line) > LONGEST:
        raise _reject("the prompt is too long for one argument; use {prompt_file} or the standard input")
    return line


def prompt_of(words: tuple[str, ...], request: Request) -> str:
    """Return the agent's prompt, after the system prompt unless that has its own placeholder."""
    if not request.system_prompt or SYSTEM_PROMPT in used_names(words):
        return request.prompt
    return f"{request.system_prompt.rstrip()}\n\n{request.prompt}"


def _list_values(words: tuple[str, ...], request: Request, folder: str) -> Iterator[tuple[str, str]]:
    yield "model", request.model_name
    yield "prompt", prompt_of(words, request)
    yield "prompt_file", PROMPT_FILE.replace(FOLDER, folder)
    yield SYSTEM_PROMPT, SYSTEM_PROMPT_FILE.replace(FOLDER, folder)
    for name in PARAMETERS:
        value = getattr(request.parameters, name)
        yield name, "" if value is None else f"{value:.15g}"


def _fill_word(word: str, values: Mapping[str, str]) -> str:
    return _BRACES.sub(
        lambda result: f"{{{result['plain']}}}" if result["plain"] else values[result["name"]], word
    )


def _reject(message: str) -> ProviderError:
    return ProviderError(message, kind=REJECTED)
