"""Keep the precompiled header of a recipe in the user's cache: one for all answers, runs and processes."""

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
SUFFIX = ".gch"  # GCC looks for a precompiled header beside the header, and ignores one it cannot use
LIMITS = Limits(wall_s=120, cpu_s=120, memory_bytes=1024 * MIB, keep_bytes=LARGEST)


def precompiled_header(recipe: Recipe, sandbox: Sandbox) -> tuple[Bind, ...]:
    """Show the precompiled header, compiling it first if needed; nothing if it cannot be compiled."""
    if not recipe.precompile:
        return ()
    path = cache_folder(FOLDER, _digest(recipe))
    try:
        if not path.exists():
            _write(path, _compiled(recipe, sandbox))
    except (OSError, SandboxError):
        return ()  # each build then compiles the header itself
    return (Bind(source=str(path), at=recipe.header + SUFFIX),)


def _digest(recipe: Recipe) -> str:
    compiler = Path(shutil.which(recipe.precompile[0]) or "").resolve()
    form = [*recipe.precompile, recipe.files[recipe.header], str(compiler), compiler.stat().st_mtime_ns]
    return text_digest(json.dumps(form))


def _compiled(recipe: Recipe, sandbox: Sandbox) -> bytes:
    kept = recipe.header + SUFFIX
    result = sandbox.run(
        Command(
            argv=recipe.precompile,
            files={recipe.header: recipe.files[recipe.header].encode()},
            keep=(kept,),
            limits=LIMITS,
        )
    )
    if kept not in result.files:
        raise SandboxError(f"{recipe.header} could not be compiled: {result.stderr.decoded()[:300]}")
    return result.files[kept]


def _write(path: Path, content: bytes) -> None:
    """Write the file beside its place first, so that a file in its place is always whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o644)  # another user compiles in the sandbox
    Path(file.name).replace(path)
