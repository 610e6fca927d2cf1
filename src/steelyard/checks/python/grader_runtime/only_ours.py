"""Let the grader run code of the library, of packages and of the case, and none that the answer wrote.

Tests hand to libraries what the answer returns or writes, and many a library runs a text or a file. Once such
code runs in the grader, it can report what it likes. So an audit hook, which nothing can remove, looks at the
code that is about to run, and at the files from which the import system is about to read some. Nothing tells
it which text is the answer's, so it refuses all that is not known to come from elsewhere.
"""

import ast
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import CodeType, FrameType
from typing import Any

from steelyard.checks.python.grader_runtime.collect import PREFIX_FILE, TESTS_FILE
from steelyard.checks.python.grader_runtime.handles import refuse

Hook = Callable[[str, tuple[Any, ...]], None]
OURS = os.path.join(os.path.dirname(__file__), "")  # noqa: PTH118, PTH120  # pathlib is slow to load
FROZEN = "<frozen "
LOADERS = frozenset({"<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>"})
READERS = LOADERS | {"<frozen zipimport>"}
SYSTEM = ("/usr/", "/lib/")  # besides packages, there are libraries in C
# What makes functions from a text of its own, into which it puts the names of fields or parameters.
MAKERS = frozenset(
    {
        *("collections/__init__.py", "dataclasses.py", "unittest/mock.py"),
        *("attr/_make.py", "hypothesis/internal/reflection.py"),
        *("networkx/utils/decorators.py", "scipy/stats/_distn_infrastructure.py"),
    }
)
# Functions of these which take names that may be the answer's, and look at them too little.
CARELESS = frozenset({"make_dataclass", "make_class"})
# What runs a text of its caller's, by the names it has for it; fine is one that stands in the tests.
QUOTED = {"timeit.py": ("stmt", "setup"), "_pytest/skipping.py": ("condition",)}
CALLS = frozenset({"pass", "_stmt()", "_setup()"})  # what a timer makes of functions, or of nothing


def stand_guard(job: Mapping[str, Any]) -> None:
    """Refuse from now on to run what may be code of the answer."""
    sys.addaudithook(guard(job))


def guard(job: Mapping[str, Any]) -> Hook:
    """Return a hook that refuses; a test that it refuses something has failed, whatever the test catches."""
    sources = Sources(job)
    # By event: which of its details tells where code comes from, and whether that is a good place.
    rules: dict[str, tuple[int, Callable[[Any, FrameType], bool]]] = {
        "exec": (0, sources.may_run),
        "function.__new__": (0, sources.may_become_function),
        "open": (0, sources.may_open),
        "import": (1, lambda path, _: path is None or sources.is_trusted(path)),
        "ctypes.dlopen": (0, sources.may_link),
        "pickle.find_class": (0, lambda _, frame: sources.is_importing(frame)),
    }

    def hook(event: str, details: tuple[Any, ...]) -> None:
        if event not in rules:
            return
        frame = sys._getframe(1)  # noqa: SLF001  # public but for its name
        place, is_fine = rules[event]
        if not is_fine(details[place], frame):
            refuse(f"{_described(details[place], frame)} would run code that the answer may have written")

    return hook


class Sources:
    """The places that code may come from: the answer can write to none of them."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        shared = f"{os.getcwd()}/"  # noqa: PTH109  # as above
        shown = [f"{path.rstrip('/')}/" for path in sys.path if path.startswith("/")]
        self._roots = (*(root for root in shown if not shared.startswith(root)), *SYSTEM)
        self._case = frozenset({TESTS_FILE, PREFIX_FILE, *job["files"]})
        self._quoted = cache(lambda: quoted_texts(job["tests"]))

    def is_trusted(self, path: object) -> bool:
        """Whether a file is the library's or a package's, by its name alone: a link could change its aim."""
        return type(path) is str and path.startswith(self._roots) and "/.." not in path

    def may_open(self, path: object, frame: FrameType) -> bool:
        """Whether a file may be opened; a compiled one does not say truly from which source it was made."""
        return frame.f_code.co_filename not in READERS or self.is_trusted(path)

    def may_link(self, name: object, _: FrameType) -> bool:
        """Whether a library in C may be loaded: this program, or one by a name that is searched for."""
        return name is None or (type(name) is str and "/" not in name) or self.is_trusted(name)

    def may_become_function(self, code: CodeType, _: FrameType) -> bool:
        """Whether a function may be made from code, as copies of functions are."""
        return code.co_filename in self._case or self._is_code(code.co_filename)

    def may_run(self, code: CodeType, frame: FrameType) -> bool:
        """Whether code may run: a module, the tests, or what the library makes for itself."""
        caller = frame.f_code.co_filename
        if caller.startswith(OURS):
            return True
        if caller in LOADERS:
            return self._is_code(code.co_filename)
        return self._is_made(frame) or self.is_importing(frame)

    def is_importing(self, frame: FrameType | None) -> bool:
        """Whether a module of the library or of a package is at work on its own import."""
        while frame is not None and self._is_code(frame.f_code.co_filename):
            if frame.f_code.co_filename in LOADERS:
                return True
            frame = frame.f_back
        return False

    def _is_code(self, file: str) -> bool:
        return file.startswith(FROZEN) or self.is_trusted(file)

    def _is_made(self, frame: FrameType) -> bool:
        """Whether a text about to run is made from names, or stands in the tests."""
        file = frame.f_code.co_filename
        names = {file[len(root) :] for root in self._roots if file.startswith(root)}
        for name in names & QUOTED.keys():
            texts = [frame.f_locals.get(quoted) for quoted in QUOTED[name]]
            return all(self._stands_in_tests(text) for text in texts)
        return bool(names & MAKERS) and CARELESS.isdisjoint(_names_within(file, frame))

    def _stands_in_tests(self, text: object) -> bool:
        return type(text) is str and (text in CALLS or _lines(text) in self._quoted())


def quoted_texts(tests: str) -> set[tuple[str, ...]]:
    """Return the texts that stand in the tests, as lines: a timer indents them anew.

    >>> quoted_texts("timeit('f(1)')")
    {('f(1)',)}
    """
    nodes = ast.walk(ast.parse(tests))
    return {
        _lines(node.value) for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str
    }


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _described(source: object, frame: FrameType) -> str:
    """Say what was refused: a file or class by its name, a text by what wanted to run it."""
    if isinstance(source, str):
        return f"loading {source}"
    return f"{frame.f_code.co_name} of {os.path.basename(frame.f_code.co_filename)}"  # noqa: PTH119  # as above


def _names_within(file: str, frame: FrameType | None) -> list[str]:
    """Return the functions of a file that called one another, up to now."""
    names = []
    while frame is not None and frame.f_code.co_filename == file:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    return names
