"""Find constants and columns of `parametrize` rows that consist of closed values."""

import ast
from collections.abc import Iterator, Sequence

from steelyard.checks.toolchains.python.sealing.expressions import Closing, Column, Columns
from steelyard.checks.toolchains.python.sealing.syntax import Function, Module, called_name

Cells = Sequence[ast.expr]


def find_columns(module: Module) -> Columns:
    """Return the constants and columns of closed values whose names are bound once and read."""
    columns: Columns = {}
    for node in () if module.reads_names_as_text() else module.nodes:
        for scope, name, cells in _columns(module, node):
            values = [value for cell in cells if (value := Closing(module, {}).close(cell))]
            is_used = module.bindings[scope][name] == 1 and module.reads[scope, name]
            if is_used and cells and len(values) == len(cells):
                columns[scope, name] = Column(
                    scope=scope, name=name, nodes=cells, values=values, is_constant=scope is not node
                )
    return columns


def _columns(module: Module, node: ast.AST) -> Iterator[tuple[ast.AST, str, Cells]]:
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            if not isinstance(module.parents[node], ast.ClassDef):
                yield next(module.scopes(node)), name, [value]
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            for decorator in decorators:
                for name, cells in _parameters(module, decorator):
                    if not _is_requested_elsewhere(module, node, name):
                        yield node, name, cells


def _parameters(module: Module, decorator: ast.expr) -> Iterator[tuple[str, Cells]]:
    """Yield the parameters of a test with their values, if all rows have equal length."""
    match decorator:
        case ast.Call(args=[names, rows], keywords=[] | [ast.keyword(arg="ids", value=ast.List())]) if (
            called_name(decorator) == "parametrize"
        ):
            texts = [str(getattr(item, "value", "")) for item in _items(names) or [names]]
            parameters = [name.strip() for text in texts for name in text.split(",")]
            table = [_arguments(row, len(parameters)) for row in _items(_literal(module, rows))]
            if all(len(row) == len(parameters) for row in table):
                yield from ((name, cells) for name, *cells in zip(parameters, *table, strict=True))


def _arguments(row: ast.expr, count: int) -> Cells:
    if isinstance(row, ast.Call) and called_name(row) == "param":
        return row.args
    return [row] if count == 1 else _items(row)


def _is_requested_elsewhere(module: Module, test: ast.AST, name: str) -> bool:
    """Whether a fixture of the tests also takes a parameter."""
    return any(
        isinstance(function, Function)
        and function is not test
        and function.decorator_list
        and not function.name.startswith("test")
        and name in {argument.arg for argument in function.args.args}
        for function in module.nodes
    )


def _items(node: ast.expr) -> Cells:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [] if any(isinstance(item, ast.Starred) for item in items) else items
    return []


def _literal(module: Module, table: ast.expr) -> ast.expr:
    """Resolve a table's name if it is bound once and read once."""
    if not isinstance(table, ast.Name):
        return table
    for scope in module.scopes(table):
        if module.bindings[scope][table.id] == 1 == len(module.reads[scope, table.id]):
            for node in module.nodes:
                match node:
                    case ast.Assign(targets=[ast.Name(id=table.id)], value=value) if scope in module.scopes(
                        node
                    ):
                        return value
    return table
