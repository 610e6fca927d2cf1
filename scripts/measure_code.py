"""Print what the code's size and vocabulary come to: `python -m scripts.measure_code [CHECKOUT]`.

Compare two states of the project with a second worktree: `git worktree add /tmp/before COMMIT`.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

SMALL = 40  # lines
PEOPLES_VERBS = re.compile(r"\b(?:said|says|told|asked|asks)\b")
VAGUE = frozenset({"found", "one"})
LANGUAGES = frozenset(["python", "rust", "terraform", "javascript", "typescript", "java", "go", "c", "cpp"])
HOMES = ("languages", "checks", "benchmarks")  # packages that may name a language


def modules(source: Path) -> list[Path]:
    """Return the Python files of a source tree."""
    return sorted(path for path in source.rglob("*.py") if "__pycache__" not in path.parts)


def vague_bindings(tree: ast.AST) -> int:
    """Count the scopes that bind a vague name: functions, lambdas and comprehensions."""
    return sum(len(VAGUE & set(_bound(scope))) for scope in ast.walk(tree) if isinstance(scope, _SCOPES))


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_COMPREHENSIONS, *_FUNCTIONS)


def _bound(scope: ast.AST) -> Iterator[str]:
    """Yield the names that a scope binds itself, not in scopes inside it."""
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.arg):
            yield node.arg
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)


def names_a_language(tree: ast.AST) -> bool:
    """Whether a module has the plain name of a language as a text."""
    return any(isinstance(node, ast.Constant) and node.value in LANGUAGES for node in ast.walk(tree))


def measured(checkout: Path) -> dict[str, int]:
    """Return the figures of a checkout."""
    source = checkout / "src" / "steelyard"
    texts = {path: path.read_text(encoding="utf-8") for path in modules(source)}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    homes = [source / name for name in HOMES]
    return {
        "modules": len(texts),
        f"modules under {SMALL} lines, without __init__": sum(
            text.count("\n") < SMALL and path.name != "__init__.py" for path, text in texts.items()
        ),
        "lines": sum(text.count("\n") for text in texts.values()),
        "said, says, told, asked, asks": sum(len(PEOPLES_VERBS.findall(text)) for text in texts.values()),
        "scopes with a local named found or one": sum(map(vague_bindings, trees.values())),
        f"modules outside {', '.join(HOMES)} that name a language": sum(
            names_a_language(tree) and not any(path.is_relative_to(home) for home in homes)
            for path, tree in trees.items()
        ),
    }


def main() -> None:
    """Print the figures."""
    checkout = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    for name, figure in measured(checkout).items():
        print(f"{figure:8,}  {name}")


if __name__ == "__main__":
    main()
