"""Drivers: programs that call an answer's function, one per language.

A driver is a folder with sources and `driver.toml`, a recipe with a few more keys.
"""

import glob
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path

from steelyard.checks.toolchains.python.environment import interpreter_of
from steelyard.checks.toolchains.python.interpreter import COMMON, FLAGS, RUNTIME, SEED, STARTER, WarmOptions
from steelyard.checks.toolchains.recipes.recipe import Programs, Recipe, recipe_of, recipes
from steelyard.checks.toolchains.rust.toolchain import find_toolchain
from steelyard.errors import InputError
from steelyard.model.environment import Environment
from steelyard.model.sample import text_digest

FOLDER = Path(__file__).parent
ABOUT = "driver.toml"
# Fields that a driver inherits from the recipe it extends.
SHARED = frozenset({"name", "language", "needs", "answer", "answer_name", "suffixes", "package", "binds"}) | {
    "build",
    "artifacts",
    "env",
    "left_out",
    "memory_mib",
    "io",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """How functions in one language are called and their results compared."""

    recipe: Recipe
    keywords: bool = False  # whether calls support keyword arguments
    like_python: bool = False  # whether results compare by Python's `==`
    signature: bool = False  # whether cases must state the function's signature
    nil: bool = False  # whether it marks empty lists, dicts and sets that are also null
    simple_tags: bool = False  # whether bytes are sent as numbers and null without a tag: it has no base64

    @property
    def digest(self) -> str:
        """A digest of the driver."""
        return text_digest(repr(asdict(self)))


@cache
def drivers() -> Mapping[str, Driver]:
    """Return the drivers by language."""
    paths = sorted(FOLDER.glob(f"*/{ABOUT}"))
    return {driver.recipe.language: driver for driver in (read_driver(path.parent) for path in paths)}


def driver_of(language: str) -> Driver:
    """Return the driver of a language; the error lists the languages with drivers."""
    if language not in drivers():
        known = ", ".join(sorted(drivers()))
        raise InputError(f"calls are not supported for the language {language!r}; choose from {known}")
    return drivers()[language]


def read_driver(folder: Path) -> Driver:
    """Read a driver from its folder."""
    path = folder / ABOUT
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    own = {
        field.name: table.pop(field.name)
        for field in fields(Driver)
        if field.name != "recipe" and field.name in table
    }
    base = recipes()[table.pop("extends")] if "extends" in table else None
    shared = {
        field.name: getattr(base, field.name) for field in fields(Recipe) if base and field.name in SHARED
    }
    sources = {
        source.name: source.read_text(encoding="utf-8")
        for source in sorted(folder.iterdir())
        if source.is_file()
    }
    del sources[ABOUT]
    shared_sources = table.pop("sources", {})
    sources |= {name: (folder / other).read_text(encoding="utf-8") for name, other in shared_sources.items()}
    sources |= {name: base.files[name] for name in table.pop("recipe_files", ()) if base}
    table.setdefault("name", table.get("language", shared.get("name")))
    recipe = recipe_of({**shared, **table, "files": {**sources, **table.get("files", {})}}, path)
    return Driver(recipe=recipe, **own)


def with_tools(recipe: Recipe, environment: Environment | None = None) -> Recipe:
    """Fill the paths of this machine into a recipe for `{python}` and `{rustc}`."""
    words = {*recipe.build, *recipe.run, *recipe.io.build, *recipe.io.run}
    if "{python}" in words:
        interpreter = interpreter_of(environment)
        packages = interpreter.packages
        shown = [bind.source for bind in interpreter.binds if bind.source != str(RUNTIME)]
        search = (f"PYTHONPATH={os.pathsep.join(packages)}",) if packages else ()
        start = (STARTER, SEED, *search, interpreter.program, *FLAGS)
        return _fill(recipe, "{python}", start, [glob.escape(folder) for folder in shown])
    if "{rustc}" in words:
        toolchain = find_toolchain()
        return _fill(recipe, "{rustc}", (toolchain.tool("rustc"),), [glob.escape(toolchain.sysroot)])
    return recipe


def warm_options(environment: Environment | None = None) -> WarmOptions:
    """Return the options of a warm sandbox with Python and its driver loaded."""
    recipe = with_tools(drivers()["python"].recipe, environment)
    start = recipe.run[:-1]
    return WarmOptions(
        interpreter=start[0],
        flags=start[1:],
        binds=tuple(
            bind for bind in interpreter_of(environment).binds if glob.escape(bind.source) in recipe.binds
        ),
        preload=(*COMMON, "base64", "json.decoder", "json.encoder", "site"),
        scripts=(recipe.files["driver.py"].encode(),),
    )


def _fill(recipe: Recipe, word: str, start: tuple[str, ...], binds: list[str]) -> Recipe:
    def put(argv: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(part for item in argv for part in (start if item == word else (item,)))

    programs = Programs(build=put(recipe.io.build), artifacts=recipe.io.artifacts, run=put(recipe.io.run))
    return replace(
        recipe,
        build=put(recipe.build),
        run=put(recipe.run),
        io=programs,
        binds=(*recipe.binds, *binds),
    )
