"""Find by name what tests do that takes one process: apart it would be unsafe, or would measure nothing.

Only plain spellings are found, and nothing is run here.
"""

import ast
from collections.abc import Collection, Iterator, Mapping

from steelyard.checks.python.grader_runtime.collect import Function, holds_tests

RUNS_ANSWER = "would run what the answer says inside the grader"
NOT_THERE = "does not reach the answer's process"
NOT_BESIDE = "goes on only when the answer has ended"
NOT_SEEN = "sees a stand-in for what is in the answer's process"
STDERR = "the captured stderr"
# Whole modules, names as they are after their imports, methods of whatever object, and parameters.
MODULES = {
    **dict.fromkeys(("doctest", "logging.config", "marshal", "pickle", "runpy", "shelve"), RUNS_ANSWER),
    **dict.fromkeys(("freezegun", "gc", "time_machine", "tracemalloc", "weakref"), NOT_THERE),
}
OF_DATACLASSES = ("asdict", "astuple", "fields", "is_dataclass", "replace")
INSPECTED = (
    *("getfullargspec", "getmembers", "getsource", "isabstract", "isasyncgenfunction", "isclass"),
    *("iscoroutinefunction", "isfunction", "isgenerator", "isgeneratorfunction", "ismethod", "signature"),
)
NAMES = {
    **dict.fromkeys(("eval", "exec", "builtins.eval", "builtins.exec", "typing.get_type_hints"), RUNS_ANSWER),
    **dict.fromkeys(("yaml.load", "yaml.full_load", "yaml.unsafe_load"), RUNS_ANSWER),
    **dict.fromkeys(("importlib.util.spec_from_file_location", "monkeypatch.syspath_prepend"), RUNS_ANSWER),
    **dict.fromkeys((f"code.{name}" for name in ("InteractiveConsole", "interact")), RUNS_ANSWER),
    **dict.fromkeys(("code.InteractiveInterpreter", "pkgutil.resolve_name"), RUNS_ANSWER),
    **dict.fromkeys(("sympy.sympify", "sympy.parse_expr"), RUNS_ANSWER),
    "sympy.parsing.sympy_parser.parse_expr": RUNS_ANSWER,
    **dict.fromkeys(("pytest.warns", "pytest.deprecated_call", "warnings.catch_warnings"), NOT_THERE),
    **dict.fromkeys(("os.environ", "os.getenv", "os.putenv", "os.chdir", "contextlib.chdir"), NOT_THERE),
    **dict.fromkeys(("monkeypatch.setenv", "monkeypatch.delenv", "monkeypatch.chdir"), NOT_THERE),
    "contextlib.redirect_stderr": NOT_THERE,
    **dict.fromkeys(("threading.active_count", "threading.enumerate", "random.getstate"), NOT_THERE),
    **dict.fromkeys(("sys.getrecursionlimit", "sys.setrecursionlimit"), NOT_THERE),
    **dict.fromkeys(("resource.getrusage", "sys.argv", "sys.set_int_max_str_digits"), NOT_THERE),
    **dict.fromkeys((f"decimal.{name}" for name in ("getcontext", "localcontext", "setcontext")), NOT_THERE),
    **dict.fromkeys((f"asyncio.{name}" for name in ("create_task", "ensure_future", "timeout")), NOT_BESIDE),
    **dict.fromkeys(("asyncio.wait_for", "asyncio.TaskGroup"), NOT_BESIDE),
    "asyncio.iscoroutinefunction": NOT_SEEN,
    **dict.fromkeys((f"dataclasses.{name}" for name in OF_DATACLASSES), NOT_SEEN),
    **dict.fromkeys((f"inspect.{name}" for name in INSPECTED), NOT_SEEN),
}
# What a class may be made from; tests may use them, and cannot ask whether the answer did.
ASKS_CLASS = frozenset({"isinstance", "issubclass", "assertIsInstance", "assertNotIsInstance"})
ENUMS = ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
KINDS = ("types.FunctionType", "types.GeneratorType", "collections.abc.Generator", "re.Match", "re.Pattern")
BASES = frozenset({"abc.ABC", *KINDS, *(f"enum.{name}" for name in ENUMS)})
METHODS = {
    **dict.fromkeys(("exec_module", "load_module"), RUNS_ANSWER),
    **dict.fromkeys(("assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"), NOT_THERE),
}
SIZE = "sys.getsizeof"  # fine for a literal
# Fine as long as they make no error of a warning: that of the answer would never be one.
FILTERS = frozenset({"pytest.mark.filterwarnings", "warnings.filterwarnings", "warnings.simplefilter"})
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
    if any(map(_uses_captured_stderr, nodes)):
        yield STDERR, NOT_THERE
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute):
            name = _dotted(node, imported)
            attribute = node.attr if isinstance(node, ast.Attribute) else ""
            top, *_ = parts = name.split(".")
            of_module = MODULES.get(top) or MODULES.get(".".join(parts[:2])) if top in modules else None
            if why := of_module or NAMES.get(name) or METHODS.get(attribute):
                yield name or attribute, why
            if isinstance(node, ast.Attribute) and attribute == "err" and _is_captured(node.value, captured):
                yield STDERR, NOT_THERE
        elif isinstance(node, ast.Subscript) and _is_captured(node.value, captured):
            if isinstance(node.slice, ast.Constant) and node.slice.value == 1:
                yield STDERR, NOT_THERE
        elif isinstance(node, ast.arg | ast.keyword) and node.arg in PARAMETERS:
            yield node.arg, PARAMETERS[node.arg]
        elif isinstance(node, ast.Call):
            yield from _asked_of_class(node, imported)
            yield from _asked_of_process(node, imported)
            yield from _patches(node, imported, module)


def decorators_of_tests(tree: ast.Module) -> set[str]:
    r"""Return the names of what decorates tests, as they are after their imports.

    >>> decorators_of_tests(ast.parse("import x as y\n@y.log(1)\ndef test_it(): pass\n@z\ndef help(): pass"))
    {'x.log'}
    """
    nodes = list(ast.walk(tree))
    imported = dict(_imports(nodes))
    tests = [
        node
        for node in nodes
        if (isinstance(node, Function) and node.name.startswith("test"))
        or (isinstance(node, ast.ClassDef) and holds_tests(node))
    ]
    names = {node.name for node in tests}
    rebound = [
        node.value
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and any(isinstance(to, ast.Name) and to.id in names for to in node.targets)
    ]
    makers = [one for node in tests for one in node.decorator_list] + rebound
    return {_dotted(_called(one), imported) for one in makers}


def _called(node: ast.expr) -> ast.expr:
    return _called(node.func) if isinstance(node, ast.Call) else node


def _asked_of_class(call: ast.Call, imported: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Give what a call asks about the making of a class, or of the class of an object."""
    function = _dotted(call.func, imported).rpartition(".")[2]
    if function not in ASKS_CLASS:
        return
    classes = [node for asked in call.args[1:2] for node in getattr(asked, "elts", [asked])]
    for base in BASES.intersection(_dotted(node, imported) for node in classes):
        yield f"{function} with {base}", NOT_SEEN


def _asked_of_process(call: ast.Call, imported: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Give what a call asks of warnings and memory, if the answer may have a part in it."""
    name = _dotted(call.func, imported)
    if name == SIZE and any(isinstance(node, ast.Name) for asked in call.args for node in ast.walk(asked)):
        yield name, NOT_THERE
    actions = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "action")]
    texts = [action.value if isinstance(action, ast.Constant) else "error" for action in actions]
    if name in FILTERS and any(str(text).startswith("error") for text in texts):
        yield name, NOT_THERE


def _patches(call: ast.Call, imported: Mapping[str, str], module: str) -> Iterator[tuple[str, str]]:
    """Give what a call patches if the answer does not see it there."""
    target = _patched(call, imported) if _dotted(call.func, imported) in PATCHERS else ""
    if target and target not in REACHED and not f"{target}.".startswith(f"{module}."):
        yield f"a patch of {target}", NOT_THERE


def _uses_captured_stderr(function: ast.AST) -> bool:
    """Whether a function uses `err` after `out, err = capsys.readouterr()`, whatever the two are called."""
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    since: dict[str, int] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[_, ast.Name(id=name)])], value=value):
                if _is_captured(value, frozenset()):
                    since[name] = node.lineno
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id in since]
    return any(isinstance(use.ctx, ast.Load) and use.lineno > since[use.id] for use in uses)


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
