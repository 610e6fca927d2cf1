"""Find the npm packages of an eval set and their dependencies in a local folder.

Answers see only these packages, so outcomes do not depend on other packages of the machine. Nothing is
downloaded, and no package code runs outside a sandbox.
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

FOLDER_ENV = "STEELYARD_NODE_MODULES"  # a `node_modules` folder created by npm
MODULES = "node_modules"
MANIFEST = "package.json"
FIX = f"Install them with `npm ci --ignore-scripts`, and set {FOLDER_ENV} to the folder `{MODULES}`."
OPTIONAL = ("optionalDependencies",)
NEEDS = ("dependencies", *OPTIONAL, "peerDependencies")

Location = tuple[str, ...]  # the names of the enclosing packages, then its own name
Manifest = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePackages:
    """The packages of an environment: binds for the sandbox, and a digest."""

    binds: tuple[Bind, ...] = ()
    digest: str = ""


def node_packages(environment: Environment | None) -> NodePackages:
    """Return the packages of an environment; raises UserError for missing packages and other versions."""
    if environment is None or not environment.npm:
        return NodePackages()
    return _find_packages(environment.npm, os.environ.get(FOLDER_ENV, ""))


def npm_tools(case: Case) -> dict[str, str]:
    """Return the digest of a case's packages, if any, for the digest of its check."""
    packages = node_packages(case.environment)
    return {"npm": packages.digest} if packages.binds else {}


@cache
def _find_packages(packages: tuple[str, ...], named: str) -> NodePackages:
    if not named:
        raise UserError(f"the eval set needs npm packages, but {FOLDER_ENV} is not set. {FIX}")
    folder = Path(named).resolve()
    if not folder.is_dir():
        raise UserError(f"{named}: no such folder, set by {FOLDER_ENV}. {FIX}")
    if problems := list(_problems(packages, folder)):
        raise UserError(f"npm packages of the eval set are missing: {', '.join(problems)}. {FIX}")
    reached = _reached(packages, folder)
    if problems := sorted({*_lacking(reached, folder), *_links(reached, folder)}):
        raise UserError(f"npm packages of the eval set are incomplete: {', '.join(problems)}. {FIX}")
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


def _reached(packages: tuple[str, ...], folder: Path) -> dict[Location, Manifest]:
    """Return the manifests of the packages and their transitive dependencies."""
    manifests = dict[Location, Manifest]()
    waiting: list[Location] = [(pin[0],) for pin in map(npm_pin, packages) if pin]
    while waiting:
        location = waiting.pop()
        if location in manifests or (manifest := _manifest(folder, location)) is None:
            continue
        manifests[location] = manifest
        waiting += [near for name in _needs(manifest) if (near := _nearest(folder, location, name))]
    return manifests


def _lacking(reached: Mapping[Location, Manifest], folder: Path) -> Iterator[str]:
    """Yield missing dependencies: answers would fail without them."""
    for index, about in reached.items():
        optional = set(_needs(about, OPTIONAL))
        for name in _needs(about, ("dependencies",)):
            if name not in optional and _nearest(folder, index, name) not in reached:
                yield f"{index[-1]} needs {name}"


def _links(reached: Mapping[Location, Manifest], folder: Path) -> Iterator[str]:
    """Yield packages that are links: their targets are not visible in the sandbox."""
    return (f"{index[-1]} is a link" for index in reached if _path(folder, index).is_symlink())


def _needs(about: Manifest, keys: tuple[str, ...] = NEEDS) -> Iterator[str]:
    for key in keys:
        names = about.get(key)
        # A name such as `../..` would expose other folders to the sandbox.
        yield from filter(NPM_NAME.fullmatch, names if isinstance(names, dict) else ())


def _nearest(folder: Path, location: Location, name: str) -> Location | None:
    """Resolve a dependency as Node does: inside the package, then outwards.

    None if missing: npm skips packages for other platforms.
    """
    candidates = ((*location[:depth], name) for depth in range(len(location), -1, -1))
    return next((candidate for candidate in candidates if _path(folder, candidate).is_dir()), None)


def _manifest(folder: Path, location: Location) -> Manifest | None:
    try:
        manifest = json.loads((_path(folder, location) / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return manifest if isinstance(manifest, dict) else None


def _path(folder: Path, location: Location) -> Path:
    return folder / f"/{MODULES}/".join(location)
