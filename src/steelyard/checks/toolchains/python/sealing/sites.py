"""Find the assertions of a module."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from steelyard.checks.toolchains.python.sealing.syntax import Module, called_name

RAISES = {"raises", "assertRaises", "assertRaisesRegex"}
FAILS = {"fail", "match"}  # `self.fail()`, and `info.match(…)` of pytest.raises
WARNS = {"warns", "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs", "deprecated_call"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One assertion: `part` is a conjunct of an `assert`, the call, or the context manager's call."""

    node: ast.Assert | ast.Call
    part: ast.expr
    is_context: bool = False


def find_sites(module: Module) -> list[Site]:
    """Return the assertions in source order; `and` is split into its conjuncts."""
    sites = [site for node in module.nodes for site in _sites(module, node)]
    return sorted(sites, key=lambda site: module.span(site.part))


def _sites(module: Module, node: ast.AST) -> Iterator[Site]:
    match node:
        case ast.Assert(test=ast.BoolOp(op=ast.And(), values=parts)):
            yield from (Site(node=node, part=part) for part in parts)
        case ast.Assert(test=test) if not (isinstance(test, ast.Constant) and test.value):
            yield Site(node=node, part=test)
        case ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call)):
            if _is_assertion(module, called_name(call)):
                yield Site(node=call, part=call)
        case ast.withitem(context_expr=ast.Call() as call) if called_name(call) in RAISES | WARNS:
            yield Site(node=call, part=call, is_context=True)


def _is_assertion(module: Module, name: str) -> bool:
    # The assertions of a helper are counted where it is defined.
    is_helper = name in module.bindings[module.tree] and name not in module.imports
    return name in RAISES | FAILS or (name.startswith("assert") and not is_helper)
