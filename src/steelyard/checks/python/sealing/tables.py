"""Find constants and columns of tables that hold expected values.

Tables are rows of `parametrize`, and literals that a `for` loop iterates over.
"""

import ast
from collections.abc import Iterator, Sequence

from steelyard.checks.python.sealing.closed import Closing
from steelyard.checks.python.sealing.hidden import Column, Hidden
from steelyard.checks.python.sealing.scopes import Module, called_name

Cells = Sequence[ast.expr]


def find_hidden(module: Module) -> Hidden:
    """Return all constants and columns that consist of closed values."""
    hidden = Hidden(module)
    if not module.reads_names_as_text():
        for node in module.nodes:
            for column in _columns(module, node):
                hidden.add(column)
    return hidden


def _columns(module: Module, node: ast.AST) -> Iterator[Column]:
    scope = next(module.scopes(node), module.tree)
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            if not isinstance(module.parents[node], ast.ClassDef):
                yield from _column(module, scope, name, [value], node)
        case ast.For(target=target, iter=table):
            for name, cells in _loop_columns(module, target, table):
                yield from _column(module, scope, name, cells, node)
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            for decorator in decorators:
                for name, cells in _parameters(module, decorator):
                    if _is_requested_elsewhere(module, node, name):
                        continue
                    yield from _column(module, node, name, cells)


def _column(
    module: Module, scope: ast.AST, name: str, cells: Cells, source: ast.AST | None = None
) -> Iterator[Column]:
    closing = Closing(module, Hidden(module))
    values = [value for cell in cells if (value := closing.close(cell)) is not None]
    if cells and len(values) == len(cells):
        yield Column(
            scope=scope,
            name=name,
            nodes=tuple(cells),
            values=tuple(values),
            forms=frozenset(closing.forms),
            is_constant=isinstance(source, ast.Assign | ast.AnnAssign),
            table=source,
        )


def _parameters(module: Module, decorator: ast.expr) -> Iterator[tuple[str, Cells]]:
    if not isinstance(decorator, ast.Call) or called_name(decorator) != "parametrize":
        return
    options = {keyword.arg: keyword.value for keyword in decorator.keywords}
    has_plain_ids = isinstance(options.pop("ids", None), ast.List | ast.Tuple | None)
    if not has_plain_ids or options or len(decorator.args) != len(("names", "rows")):
        return
    names, rows = decorator.args
    match names:
        case ast.Constant(value=str(text)):
            target = [name.strip() for name in text.split(",") if name.strip()]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            target = [str(item.value) for item in items if isinstance(item, ast.Constant)]
        case _:
            return
    cells = [_arguments(row, len(target)) for row in _rows(module, rows)]
    yield from ((name, column) for name, *column in zip(target, *cells, strict=False))


def _is_requested_elsewhere(module: Module, test: ast.AST, name: str) -> bool:
    """Whether a fixture of the tests takes a parameter too."""
    functions = [node for node in module.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return any(
        function is not test
        and function.decorator_list
        and not function.name.startswith("test")
        and name in {argument.arg for argument in function.args.args}
        for function in functions
    )


def _arguments(row: ast.expr, count: int) -> Cells:
    if isinstance(row, ast.Call) and called_name(row) == "param":
        return row.args
    return [row] if count == 1 else _items(row)


def _loop_columns(module: Module, target: ast.expr, table: ast.expr) -> Iterator[tuple[str, Cells]]:
    match target, table:
        case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[rows, *_]):
            yield from _loop_columns(module, inner, rows)
        case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=tables):
            for inner, rows in zip(targets, tables, strict=False):
                yield from _loop_columns(module, inner, rows)
        case ast.Tuple(elts=[_, value]), ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[]):
            literal = _literal(module, owner)
            if isinstance(literal, ast.Dict):
                yield from _unpacked(value, literal.values)
        case _:
            yield from _unpacked(target, _rows(module, table))


def _unpacked(target: ast.expr, rows: Cells) -> Iterator[tuple[str, Cells]]:
    if isinstance(target, ast.Name):
        yield target.id, rows
    elif isinstance(target, ast.Tuple | ast.List):
        for index, inner in enumerate(target.elts):
            cells = [items[index] for row in rows if len(items := _items(row)) == len(target.elts)]
            if len(cells) == len(rows):
                yield from _unpacked(inner, cells)


def _rows(module: Module, table: ast.expr) -> Cells:
    return _items(_literal(module, table))


def _items(node: ast.expr) -> Cells:
    if isinstance(node, ast.List | ast.Tuple) and not any(
        isinstance(item, ast.Starred) for item in node.elts
    ):
        return node.elts
    return []


def _literal(module: Module, table: ast.expr) -> ast.expr:
    """Return the value of a table's name, if the name is bound once and read once."""
    if not isinstance(table, ast.Name):
        return table
    for scope in module.scopes(table):
        for node in module.nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=table.id)], value=value):
                    is_own = scope in module.scopes(node) and len(module.reads[scope, table.id]) == 1
                    if is_own and module.bindings[scope][table.id] == 1:
                        return value
    return table
