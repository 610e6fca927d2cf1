"""Change a Python program in one place at a time, by its syntax tree. Deterministic; runs nothing."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

OTHER_OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.FloorDiv, ast.Mult),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}
# What a function may return instead of `it`; the last ones are not plain data.
OTHER_RESULTS = ("None", "[it]", "(it,)", "str(it)", "(it, it)", "iter([it])", "lambda: it")


class Mutant(NamedTuple):
    """A program with one change, and which."""

    change: str
    source: str


def places(source: str) -> list[tuple[int, int]]:
    """Return where a program can be changed: the index of a node, and of one of its changes."""
    nodes = enumerate(ast.walk(ast.parse(source)))
    return [(place, number) for place, node in nodes for number in range(len(list(_changes(node))))]


def behaviour_places(source: str, *, first_line: int = 1) -> list[tuple[int, int]]:
    """Return the places from a line on whose changes tests should notice.

    Excluded are annotations, error messages, and results of types that no honest answer returns.
    """
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    ignored = {id(node) for root in _untested_parts(nodes) for node in ast.walk(root)}
    return [
        (place, number)
        for place, number in places(source)
        if id(nodes[place]) not in ignored
        and getattr(nodes[place], "lineno", 0) >= first_line
        and not (isinstance(nodes[place], ast.Return) and number > 0)  # `None` is the first change
        and not _is_commutative(nodes[place])
    ]


def _is_commutative(node: ast.AST) -> bool:
    """Whether swapping the arguments of a call changes nothing."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"max", "min"}


def _untested_parts(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield annotations, and the arguments of raised errors."""
    for node in nodes:
        match node:
            case ast.Raise(exc=ast.Call() as call):
                yield call
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield annotation
            case ast.FunctionDef(returns=ast.expr() as returns):
                yield returns


def mutant(source: str, place: int, number: int) -> Mutant:
    """Return a program with the change at a place."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[place]
    list(_changes(node))[number]()
    line = getattr(node, "lineno", 1)
    text = ast.unparse(ast.fix_missing_locations(tree))
    return Mutant(f"{type(node).__name__} of line {line}, change {number}", f"{text}\n")


def _changes(node: ast.AST) -> Iterator[Callable[[], None]]:
    """Yield the changes that can be made to a node, each of which changes it in its place."""
    match node:
        case ast.Compare():
            yield from (_put(node.ops, 0, kind()) for kind in OTHER_OPERATORS.get(type(node.ops[0]), ()))
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp():
            yield from (_set(node, "op", kind()) for kind in OTHER_OPERATORS.get(type(node.op), ()))
        case ast.UnaryOp(op=ast.Not()):
            yield _set(node, "op", ast.UAdd())
        case ast.Constant():
            yield from (_set(node, "value", other) for other in _other_constants(node.value))
        case ast.If() | ast.While() | ast.IfExp():
            yield _set(node, "test", ast.UnaryOp(op=ast.Not(), operand=node.test))
        case ast.Call(args=[_, _, *_]):
            yield _set(node, "args", [node.args[1], node.args[0], *node.args[2:]])
        case ast.Return(value=ast.expr() as value):
            yield from (_set(node, "value", _instead(text, value)) for text in OTHER_RESULTS)
        case ast.FunctionDef():
            yield _set(node, "body", [ast.Pass()])
    yield from _drops(node)


def _drops(node: ast.AST) -> Iterator[Callable[[], None]]:
    """Yield changes that each drop one statement of a block; imports and definitions stay."""
    kept = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Pass
    for name in ("body", "orelse"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            for place, statement in enumerate(block):
                is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
                if not isinstance(statement, kept) and not is_text:
                    yield _put(block, place, ast.Pass())


def _other_constants(value: object) -> tuple[object, ...]:
    match value:
        case bool():
            return (not value,)
        case int() | float():
            return (value + 1, value - 1)
        case str() if len(value) < 40:  # noqa: PLR2004  # a longer one is a docstring
            return ("", f"{value}x")
    return ()


def _instead(text: str, value: ast.expr) -> ast.expr:
    """Return an expression with a value in the place of `it`."""
    put = f"({ast.unparse(value)})"
    return ast.parse(re.sub(r"\bit\b", lambda _: put, text), mode="eval").body


def _set(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _put(items: list[Any], place: int, value: object) -> Callable[[], None]:
    return lambda: items.__setitem__(place, value)
