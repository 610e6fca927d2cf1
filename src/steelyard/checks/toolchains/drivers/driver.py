"""Hold drivers: for each language, how an answer's function is called from outside its process.

A driver is a folder: `driver.toml`, which is a recipe with a few more keys, and the sources that it names.
"""

import glob
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path

from steelyard.checks.python.environment import interpreter_of
from steelyard.checks.python.interpreter import COMMON, FLAGS, GRADER, SEED, STARTER, WarmOptions
from steelyard.checks.toolchains.recipes.recipe import Programs, Recipe, recipe_of, recipes
from steelyard.checks.toolchains.rust.toolchain import find_toolchain
from steelyard.errors import InputError
from steelyard.model.environment import Environment
from steelyard.model.sample import text_digest

FOLDER = Path(__file__).parent
ABOUT = "driver.toml"
# What a driver takes over from the recipe of its language, unless it says otherwise.
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
    """How functions of one language are called, and how their results compare."""

    recipe: Recipe
    keywords: bool = False  # whether calls may have keyword arguments
    like_python: bool = False  # whether results compare by Python's `==`
    signature: bool = False  # whether cases must state the function's signature
    nil: bool = False  # whether it marks empty lists, tables and sets that stand for null as well
    simple_tags: bool = False  # whether bytes come as numbers and null without a tag: it knows no base64

    @property
    def digest(self) -> str:
        """A name for the exact form of the driver."""
        return text_digest(repr(asdict(self)))


@cache
def drivers() -> Mapping[str, Driver]:
    """Return the drivers by language."""
    result = [read_driver(path.parent) for path in sorted(FOLDER.glob(f"*/{ABOUT}"))]
    return {driver.recipe.language: driver for driver in result}


def driver_of(language: str) -> Driver:
    """Return the driver of a language, or tell which there are."""
    if language not in drivers():
        known = ", ".join(sorted(drivers()))
        raise InputError(
            f"calls cannot be checked for the language {language!r}; there are drivers for {known}"
        )
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
        item.name: item.read_text(encoding="utf-8") for item in sorted(folder.iterdir()) if item.is_file()
    }
    del sources[ABOUT]
    shared_sources = table.pop("sources", {})
    sources |= {name: (folder / other).read_text(encoding="utf-8") for name, other in shared_sources.items()}
    sources |= {name: base.files[name] for name in table.pop("recipe_files", ()) if base}
    table.setdefault("name", table.get("language", shared.get("name")))
    recipe = recipe_of({**shared, **table, "files": {**sources, **table.get("files", {})}}, path)
    return Driver(recipe=recipe, **own)


def with_tools(recipe: Recipe, environment: Environment | None = None) -> Recipe:
    """Return a recipe with the paths of this machine for `{python}` and `{rustc}`."""
    words = {*recipe.build, *recipe.run, *recipe.io.build, *recipe.io.run}
    if "{python}" in words:
        interpreter = interpreter_of(environment)
        packages = interpreter.packages
        shown = [bind.source for bind in interpreter.binds if bind.source != str(GRADER)]
        search = (f"PYTHONPATH={os.pathsep.join(packages)}",) if packages else ()
        start = (STARTER, SEED, *search, interpreter.program, *FLAGS)
        return _filled(recipe, "{python}", start, [glob.escape(folder) for folder in shown])
    if "{rustc}" in words:
        toolchain = find_toolchain()
        return _filled(recipe, "{rustc}", (toolchain.tool("rustc"),), [glob.escape(toolchain.sysroot)])
    return recipe


def warm_options(environment: Environment | None = None) -> WarmOptions:
    """Return what a warm sandbox must know to have Python and its driver at hand."""
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


def _filled(recipe: Recipe, word: str, start: tuple[str, ...], binds: list[str]) -> Recipe:
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
