"""Find by name what tests do that takes one process: apart it would be unsafe, or would measure nothing.

Only plain spellings are found, and nothing is run here.
"""

import ast
from collections.abc import Collection, Iterator, Mapping

RUNS_ANSWER = "would run what the answer says inside the grader"
NOT_THERE = "does not reach the answer's process"
NOT_BESIDE = "goes on only when the answer has ended"
NOT_SEEN = "does not see what the answer made its classes and functions from"
# Whole modules, names as they are after their imports, methods of whatever object, and parameters.
MODULES = {
    **dict.fromkeys(("doctest", "marshal", "pickle", "runpy", "shelve"), RUNS_ANSWER),
    **dict.fromkeys(("freezegun", "time_machine"), NOT_THERE),
}
NAMES = {
    **dict.fromkeys(("eval", "exec", "builtins.eval", "builtins.exec", "typing.get_type_hints"), RUNS_ANSWER),
    **dict.fromkeys(("yaml.load", "yaml.full_load", "yaml.unsafe_load"), RUNS_ANSWER),
    **dict.fromkeys(("pytest.warns", "pytest.deprecated_call", "warnings.catch_warnings"), NOT_THERE),
    **dict.fromkeys(("os.environ", "os.getenv", "os.putenv", "os.chdir", "contextlib.chdir"), NOT_THERE),
    **dict.fromkeys(("monkeypatch.setenv", "monkeypatch.delenv", "monkeypatch.chdir"), NOT_THERE),
    "contextlib.redirect_stderr": NOT_THERE,
    **dict.fromkeys((f"asyncio.{name}" for name in ("create_task", "ensure_future", "timeout")), NOT_BESIDE),
    **dict.fromkeys(("asyncio.wait_for", "asyncio.TaskGroup"), NOT_BESIDE),
    **dict.fromkeys(("dataclasses.is_dataclass", "inspect.isabstract"), NOT_SEEN),
    **dict.fromkeys(("asyncio.iscoroutinefunction", "inspect.iscoroutinefunction"), NOT_SEEN),
    **dict.fromkeys(("inspect.isgeneratorfunction", "inspect.isasyncgenfunction"), NOT_SEEN),
}
# What a class may be made from; tests may use them, and cannot ask whether the answer did.
ASKS_CLASS = frozenset({"isinstance", "issubclass", "assertIsInstance", "assertNotIsInstance"})
ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
BASES = frozenset({"abc.ABC", *(f"enum.{name}" for name in ENUMS)})
METHODS = dict.fromkeys(("assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"), NOT_THERE)
PARAMETERS = {"eval_str": RUNS_ANSWER, "caplog": NOT_THERE, "recwarn": NOT_THERE}
PATCHERS = frozenset(
    {
        *("unittest.mock.patch", "unittest.mock.patch.object", "unittest.mock.patch.dict"),
        *("unittest.mock.patch.multiple", "monkeypatch.setattr", "monkeypatch.delattr"),
        *("monkeypatch.setitem", "monkeypatch.delitem"),
    }
)
# What the answer reads and prints goes through the grader.
REACHED = frozenset({"builtins.input", "sys.stdin", "sys.stdout"})


def one_process_needs(tree: ast.Module, *, module: str) -> Iterator[tuple[str, str]]:
    r"""Give what tests name that takes one process, each with the reason; `module` is the answer's.

    >>> tests = ast.parse("from os import environ as e\nassert re.compile(f()).match(e['A'])")
    >>> list(one_process_needs(tests, module="solution"))
    [('os.environ', "does not reach the answer's process")]
    """
    nodes = list(ast.walk(tree))
    imported = dict(_imports(nodes))
    modules = {name.partition(".")[0] for name in imported.values()}
    captured = {name.id for node in nodes for name in _captures(node)}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute):
            name = _dotted(node, imported)
            attribute = node.attr if isinstance(node, ast.Attribute) else ""
            top = name.partition(".")[0]
            of_module = MODULES.get(top) if top in modules else None
            if why := of_module or NAMES.get(name) or METHODS.get(attribute):
                yield name or attribute, why
            if isinstance(node, ast.Attribute) and attribute == "err" and _is_captured(node.value, captured):
                yield "the captured stderr", NOT_THERE
        elif isinstance(node, ast.arg | ast.keyword) and node.arg in PARAMETERS:
            yield node.arg, PARAMETERS[node.arg]
        elif isinstance(node, ast.Call):
            yield from _asked_of_class(node, imported)
            yield from _patches(node, imported, module)


def _asked_of_class(call: ast.Call, imported: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Give what a call asks about the making of a class, or of the class of an object."""
    function = _dotted(call.func, imported).rpartition(".")[2]
    if function not in ASKS_CLASS:
        return
    classes = [node for asked in call.args[1:2] for node in getattr(asked, "elts", [asked])]
    for base in BASES.intersection(_dotted(node, imported) for node in classes):
        yield f"{function} with {base}", NOT_SEEN


def _patches(call: ast.Call, imported: Mapping[str, str], module: str) -> Iterator[tuple[str, str]]:
    """Give what a call patches if the answer does not see it there."""
    target = _patched(call, imported) if _dotted(call.func, imported) in PATCHERS else ""
    if target and target not in REACHED and not f"{target}.".startswith(f"{module}."):
        yield f"a patch of {target}", NOT_THERE


def _captures(node: ast.AST) -> list[ast.Name]:
    """Return the names that a statement gives to what pytest has captured."""
    if not isinstance(node, ast.Assign) or not _is_captured(node.value, frozenset()):
        return []
    return [target for target in node.targets if isinstance(target, ast.Name)]


def _is_captured(node: ast.expr, names: Collection[str]) -> bool:
    """Whether an expression is what pytest has captured, or has one of these names."""
    if isinstance(node, ast.Name):
        return node.id in names
    return isinstance(node, ast.Call) and _dotted(node.func, {}).endswith(".readouterr")


def _imports(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """Give each name that an import binds, with what it stands for."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST, imported: Mapping[str, str]) -> str:
    """Return names joined by dots, the first one as it was imported; nothing for other expressions."""
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value, imported)
        return f"{before}.{node.attr}" if before else ""
    return imported.get(node.id, node.id) if isinstance(node, ast.Name) else ""


def _patched(call: ast.Call, imported: Mapping[str, str]) -> str:
    """Return what a call patches, if it spells that out; nothing for an object of tests or answer."""
    texts = [one.value if isinstance(one, ast.Constant) else None for one in call.args[:2]]
    if texts and isinstance(texts[0], str):
        return texts[0]
    owner = _dotted(call.args[0], imported) if call.args else ""
    is_imported = owner.partition(".")[0] in {name.partition(".")[0] for name in imported.values()}
    return ".".join([owner, *(text for text in texts[1:] if isinstance(text, str))]) if is_imported else ""
