"""Reduce a project to its requirements: providers and remote modules.

The code need not parse: errors in a project must not hide its requirements.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import normpath

from steelyard.checks.toolchains.terraform.tokens import HclToken, TokenKind, tokens
from steelyard.checks.toolchains.terraform.workspace import DEFAULT_FILE, Workspace

LOCAL = ("./", "../")
LOCK_FILE = ".terraform.lock.hcl"
RESOURCES = frozenset({"resource", "data", "ephemeral"})
BUILT_IN = "terraform"  # the provider that needs no installation
_SOURCE = re.compile(r"(?:[\w.-]+/){1,2}[\w-]+")
_VERSION = re.compile(r"[\w.,<>=!~ +-]+")


def requirements(project: Workspace) -> Workspace | None:
    """Return a project with the same providers and remote modules; None if there are none."""
    providers, modules = dict[str, list[str]](), set[str]()
    for folder in _folders(project):
        code = [_words(project.code(path)) for path in project.module(folder)]
        used = {name for words in code for name in _used(words)}
        listed = {name: fields for words in code for name, fields in _listed(words).items()}
        for source, version in _sources(listed, used):
            versions = providers.setdefault(source, [])
            if _VERSION.fullmatch(version) and version not in versions:
                versions.append(version)
        modules |= {source for words in code for source in _called(words) if _is_remote(source)}
    if not providers and not modules:
        return None
    files = {DEFAULT_FILE: _text(providers, modules).encode()}
    lock = project.files.get(normpath(f"{project.folder}/{LOCK_FILE}"))
    return Workspace(files=files if lock is None else {**files, LOCK_FILE: lock})


def _folders(project: Workspace) -> list[str]:
    """Return the target's folder and the folders of its local modules."""
    folders = [project.folder]
    for folder in folders:
        called = {source for path in project.module(folder) for source in _called(_words(project.code(path)))}
        reached = {normpath(f"{folder}/{source}") for source in called if source.startswith(LOCAL)}
        folders += sorted(reached - set(folders))
    return folders


def _words(code: str) -> list[HclToken]:
    return [word for word in tokens(code) if word.kind is not TokenKind.LINE and not word.inside]


def _called(words: Sequence[HclToken]) -> Iterator[str]:
    """Yield the sources of modules."""
    for at, (word, brace) in enumerate(zip(words, words[2:], strict=False)):
        if word.kind is TokenKind.NAME and word.text == "module" and brace.text == "{":
            for depth, name, value in _assigned(words, at + 2):
                if depth == 1 and name == "source" and value.kind is TokenKind.TEXT:
                    yield value.text


def _is_remote(source: str) -> bool:
    return not source.startswith(LOCAL) and not {"$", "%"} & set(source)


def _listed(words: Sequence[HclToken]) -> dict[str, dict[str, str]]:
    """Return the entries of `required_providers`: `aws = { source = "a", version = "b" }` or `aws = "b"`."""
    entries, entry = dict[str, dict[str, str]](), dict[str, str]()
    for at, word in enumerate(words):
        if word.kind is not TokenKind.NAME or word.text != "required_providers":
            continue
        for depth, name, value in _assigned(words, at + 1):
            is_text = value.kind is TokenKind.TEXT
            if depth == 1:
                entry = entries[name] = {"version": value.text} if is_text else {}
            elif is_text:
                entry[name] = value.text
    return entries


def _assigned(words: Sequence[HclToken], start: int) -> Iterator[tuple[int, str, HclToken]]:
    """Yield each `name = value` between the braces that open at `start`, with its depth and first word."""
    depth = 0
    for at in range(start, len(words) - 2):
        word, sign, value = words[at : at + 3]
        depth += (word.text == "{") - (word.text == "}") if word.kind is TokenKind.MARK else 0
        if depth == 0:
            return
        if word.kind is TokenKind.NAME and sign.text in {"=", ":"}:
            yield depth, word.text, value


def _used(words: Sequence[HclToken]) -> Iterator[str]:
    """Yield the providers that blocks name, or else those in types of resources."""
    for at in range(len(words) - 3):
        kind, label, third, fourth = words[at : at + 4]
        if kind.kind is not TokenKind.NAME or label.kind is not TokenKind.TEXT:
            continue
        if kind.text == "provider" and third.text == "{":
            yield label.text
        elif kind.text in RESOURCES and fourth.text == "{":
            named = (
                value.text
                for depth, name, value in _assigned(words, at + 3)
                if (depth, name) == (1, "provider")
            )
            yield next(named, label.text.partition("_")[0]).partition(".")[0]


def _sources(listed: Mapping[str, Mapping[str, str]], used: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield source and version of each provider of a module; unlisted ones have the default source."""
    unlisted: dict[str, Mapping[str, str]] = {name: {} for name in sorted(used) if name != BUILT_IN}
    for name, fields in {**unlisted, **listed}.items():
        source = fields.get("source", f"hashicorp/{name}")
        if _SOURCE.fullmatch(source):
            yield source, fields.get("version", "")


def _text(providers: Mapping[str, Sequence[str]], modules: Iterable[str]) -> str:
    listed = [
        f"    p{at} = {{\n      source = {json.dumps(source)}\n{_version(versions)}    }}\n"
        for at, (source, versions) in enumerate(providers.items())
    ]
    called = [
        f'module "m{at}" {{\n  source = {json.dumps(source)}\n}}\n'
        for at, source in enumerate(sorted(modules))
    ]
    return "".join(["terraform {\n  required_providers {\n", *listed, "  }\n}\n", *called])


def _version(versions: Sequence[str]) -> str:
    return f"      version = {json.dumps(', '.join(versions))}\n" if versions else ""
