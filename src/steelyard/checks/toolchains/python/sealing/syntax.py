"""Index of a module's syntax tree: parents, scopes, names and byte offsets."""

import ast
import builtins
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
SCOPES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
READS_NAMES = {"locals", "globals", "vars", "eval", "exec"}


class Module:
    """A parsed module with its parents, bindings and reads."""

    def __init__(self, source: str) -> None:
        self.source = source.encode()
        self.tree = ast.parse(source)
        self.nodes = list(ast.walk(self.tree))
        self.parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}
        lines = self.source.splitlines(keepends=True)
        self._line_starts = list(accumulate(map(len, lines), initial=0))
        self.bindings: dict[ast.AST, Counter[str]] = defaultdict(Counter)
        self.reads: dict[tuple[ast.AST, str], list[ast.Name]] = defaultdict(list)
        self.classes = {node.name for node in self.nodes if isinstance(node, ast.ClassDef)}
        self.imports: dict[str, list[str]] = defaultdict(list)
        for node in self.nodes:
            self._index(node)

    def _index(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            for scope in self.scopes(node):
                self.reads[scope, node.id].append(node)
        for name in bound_names(node):
            for scope in self.scopes(node):
                self.bindings[scope][name] += 1
        for name, target in imported_names(node):
            self.imports[name].append(target)

    def around(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Yield the pairs (parent, child) from a node up to the module."""
        while node in self.parents:
            yield self.parents[node], node
            node = self.parents[node]

    def scopes(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the functions around a node, innermost first, and the module."""
        return (parent for parent, _ in self.around(node) if isinstance(parent, SCOPES))

    def full_name(self, node: ast.expr) -> str:
        """Return the qualified name of a reference, such as `decimal.Decimal`, or ""."""
        if isinstance(node, ast.Attribute):
            owner = self.full_name(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        if not isinstance(node, ast.Name):
            return ""
        count, targets = self.bindings[self.tree][node.id], self.imports.get(node.id, [])
        if targets:
            return targets[0] if count == len(targets) and len(set(targets)) == 1 else ""
        return f"builtins.{node.id}" if not count and hasattr(builtins, node.id) else ""

    def may_be_class(self, node: ast.AST) -> bool:
        """Whether a name is not a variable: imported, a class of the module, or unbound."""
        name = getattr(node, "id", "")
        is_bound = any(self.bindings[scope][name] for scope in self.scopes(node))
        return name in self.imports or name in self.classes or bool(name and not is_bound)

    def reads_names_as_text(self) -> bool:
        """Whether the module may read variables by `locals()`, `eval` and the like."""
        return any(self.reads[self.tree, name] for name in READS_NAMES)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the byte offsets at which a node starts and ends."""
        start = self._line_starts[node.lineno - 1] + node.col_offset
        end_line, end_column = node.end_lineno or 1, node.end_col_offset or 0  # the parser sets both
        return start, self._line_starts[end_line - 1] + end_column

    def text(self, node: ast.expr | ast.stmt) -> str:
        """Return a node's source in one line."""
        start, end = self.span(node)
        return " ".join(self.source[start:end].decode().split())

    def offset(self, line: int, column: int) -> int:
        """Convert a tokenizer's position, whose columns are characters, to a byte offset."""
        start, end = self._line_starts[line - 1 : line + 1]
        return start + len(self.source[start:end].decode()[:column].encode())


@lru_cache(maxsize=8)  # tests are parsed to read them, and again to seal them
def parse_module(source: str) -> Module:
    """Parse and index a module; raises SyntaxError or ValueError."""
    return Module(source)


def bound_names(node: ast.AST) -> list[str]:
    """Return the names that a node itself binds or deletes."""
    match node:
        case (
            ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name)
            | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name)
            | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):  # fmt: skip
            return [name]
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return names
    return [name for name, _ in imported_names(node)]


def imported_names(node: ast.AST) -> list[tuple[str, str]]:
    """Return the names that an import binds, with their qualified targets."""
    match node:
        case ast.Import(names=aliases):
            return [(alias.asname, alias.name) for alias in aliases if alias.asname] + [
                (top, top) for alias in aliases if not alias.asname and (top := alias.name.partition(".")[0])
            ]
        case ast.ImportFrom(module=module, names=aliases, level=level):
            origin = "." * level + (module or "")
            return [(alias.asname or alias.name, f"{origin}.{alias.name}") for alias in aliases]
    return []


def called_name(node: ast.AST) -> str:
    """Return the last part of a call's function name, or ""."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
    return ""
