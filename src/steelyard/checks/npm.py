"""Find the npm packages of an eval set in a folder of this machine, with what they need in turn.

Answers see these packages and no others of the folder, so that they fare alike on every machine that has
them. Nothing is fetched, and nothing of a package runs outside a sandbox.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from steelyard.errors import UserError
from steelyard.model.case import Case
from steelyard.model.environment import NPM_NAME, Environment, npm_pin
from steelyard.model.execution import Bind
from steelyard.model.sample import text_digest

FOLDER_ENV = "STEELYARD_NODE_MODULES"  # a folder `node_modules`, as npm makes it
MODULES = "node_modules"
ABOUT = "package.json"
FIX = f"Install them with `npm ci --ignore-scripts`, and let {FOLDER_ENV} name the folder `{MODULES}`."
OPTIONAL = ("optionalDependencies",)
NEEDS = ("dependencies", *OPTIONAL, "peerDependencies")

Place = tuple[str, ...]  # the name of a package, after the names of those in whose folders it lies
Manifest = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePackages:
    """The packages of an environment: how a sandbox shows them, and a name for what they are."""

    binds: tuple[Bind, ...] = ()
    digest: str = ""


def node_packages(environment: Environment | None) -> NodePackages:
    """Return the packages of an environment; raises where one is missing, or is of another version."""
    if environment is None or not environment.npm:
        return NodePackages()
    return _found(environment.npm, os.environ.get(FOLDER_ENV, ""))


def npm_tools(case: Case) -> dict[str, str]:
    """Return what names the packages of a case for the digest of its check; nothing where it has none."""
    packages = node_packages(case.environment)
    return {"npm": packages.digest} if packages.binds else {}


@cache
def _found(packages: tuple[str, ...], named: str) -> NodePackages:
    if not named:
        raise UserError(f"the eval set needs npm packages, and {FOLDER_ENV} is not set. {FIX}")
    folder = Path(named).resolve()
    if not folder.is_dir():
        raise UserError(f"{named}: no such folder; {FOLDER_ENV} names it. {FIX}")
    if problems := list(_problems(packages, folder)):
        raise UserError(f"npm packages of the eval set are missing: {', '.join(problems)}. {FIX}")
    reached = _reached(packages, folder)
    if problems := sorted({*_lacking(reached, folder), *_links(reached, folder)}):
        raise UserError(f"npm packages of the eval set are not whole: {', '.join(problems)}. {FIX}")
    listed = sorted(["/".join(index), about.get("version")] for index, about in reached.items())
    outermost = sorted({index[0] for index in reached})
    return NodePackages(
        binds=tuple(Bind(source=str(folder / name), at=f"{MODULES}/{name}") for name in outermost),
        digest=text_digest(json.dumps(listed)),
    )


def _problems(packages: tuple[str, ...], folder: Path) -> Iterator[str]:
    for package in packages:
        name, version = npm_pin(package) or (package, "")
        about = _manifest(folder, (name,))
        if about is None:
            yield package
        elif about.get("version") != version:
            yield f"{package} (found {about.get('version')})"


def _reached(packages: tuple[str, ...], folder: Path) -> dict[Place, Manifest]:
    """Return the packages and all that they need in turn, each with what it says about itself."""
    result = dict[Place, Manifest]()
    waiting: list[Place] = [(pin[0],) for pin in map(npm_pin, packages) if pin]
    while waiting:
        index = waiting.pop()
        if index in result or (about := _manifest(folder, index)) is None:
            continue
        result[index] = about
        waiting += [near for name in _needs(about) if (near := _nearest(folder, index, name))]
    return result


def _lacking(reached: Mapping[Place, Manifest], folder: Path) -> Iterator[str]:
    """Give what a package needs and the folder does not have: its answers would fail for want of it."""
    for index, about in reached.items():
        optional = set(_needs(about, OPTIONAL))
        for name in _needs(about, ("dependencies",)):
            if name not in optional and _nearest(folder, index, name) not in reached:
                yield f"{index[-1]} needs {name}"


def _links(reached: Mapping[Place, Manifest], folder: Path) -> Iterator[str]:
    """Give packages that are links: what lies behind one, such as a project, is not shown to answers."""
    return (f"{index[-1]} is a link" for index in reached if _path(folder, index).is_symlink())


def _needs(about: Manifest, keys: tuple[str, ...] = NEEDS) -> Iterator[str]:
    for key in keys:
        names = about.get(key)
        # A name such as `../..` would show a sandbox what lies beside the folder.
        yield from filter(NPM_NAME.fullmatch, names if isinstance(names, dict) else ())


def _nearest(folder: Path, place: Place, name: str) -> Place | None:
    """Return where Node finds a package for one that lies at a place: within it, or further out.

    What is not there is left out: npm leaves out what is for other machines, too.
    """
    candidates = ((*place[:depth], name) for depth in range(len(place), -1, -1))
    return next((candidate for candidate in candidates if _path(folder, candidate).is_dir()), None)


def _manifest(folder: Path, place: Place) -> Manifest | None:
    try:
        about = json.loads((_path(folder, place) / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return about if isinstance(about, dict) else None


def _path(folder: Path, place: Place) -> Path:
    return folder / f"/{MODULES}/".join(place)
