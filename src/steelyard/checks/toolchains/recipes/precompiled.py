"""Cache the precompiled header of a recipe for all answers and runs of a user."""

import json
import shutil
import tempfile
from pathlib import Path

from steelyard.checks.toolchains.recipes.recipe import Recipe
from steelyard.errors import SandboxError
from steelyard.model.cache_folder import cache_folder
from steelyard.model.execution import MIB, Bind, Command, Limits
from steelyard.model.sample import text_digest
from steelyard.ports import Sandbox

FOLDER = "headers"
LARGEST = 256 * MIB
SUFFIX = ".gch"  # GCC searches beside the header and ignores unusable files
LIMITS = Limits(wall_s=120, cpu_s=120, memory_bytes=1024 * MIB, keep_bytes=LARGEST)


def precompiled_header(recipe: Recipe, sandbox: Sandbox) -> tuple[Bind, ...]:
    """Return a bind of the precompiled header, compiled if missing; none if that fails."""
    if not recipe.precompile:
        return ()
    path = cache_folder(FOLDER, _digest(recipe))
    try:
        if not path.exists():
            _write(path, _compiled(recipe, sandbox))
    except (OSError, SandboxError):
        return ()  # builds then compile the header themselves
    return (Bind(source=str(path), at=recipe.header + SUFFIX),)


def _digest(recipe: Recipe) -> str:
    compiler = Path(shutil.which(recipe.precompile[0]) or "").resolve()
    form = [*recipe.precompile, recipe.files[recipe.header], str(compiler), compiler.stat().st_mtime_ns]
    return text_digest(json.dumps(form))


def _compiled(recipe: Recipe, sandbox: Sandbox) -> bytes:
    kept = recipe.header + SUFFIX
    ended = sandbox.run(
        Command(
            argv=recipe.precompile,
            files={recipe.header: recipe.files[recipe.header].encode()},
            keep=(kept,),
            limits=LIMITS,
        )
    )
    if kept not in ended.files:
        raise SandboxError(f"cannot compile {recipe.header}: {ended.stderr.decoded()[:300]}")
    return ended.files[kept]


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)  # the sandbox runs as another user
    Path(file.name).replace(path)
