"""Let tests find the answer: by the bare names they use, and as a module they import.

What the tests define themselves, the case's own code and the builtins come first: an answer that defines
`len` or redefines a function of the prompt changes nothing for the tests.
"""

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Mapping, Sequence
from importlib._abc import Loader  # what importlib.abc has, without the half of the library it brings along
from typing import Any

from steelyard.checks.python.grader_runtime.answer import new_module
from steelyard.checks.python.grader_runtime.collect import PREFIX_FILE, TESTS
from steelyard.checks.python.grader_runtime.handles import Asked, in_tests, refuse

OF_MODULES = frozenset({"__version__", "__author__"})  # which mean nothing to Python


class AnswerModule(types.ModuleType):
    """The answer, as a module whose contents live in the other process."""

    def __init__(self, name: str, line: Asked, number: int, names: list[str]) -> None:
        super().__init__(name)
        vars(self).update(_asked=(line, number), __all__=names)

    def __getattribute__(self, name: str) -> object:
        if name == "__dict__" and in_tests(sys._getframe(1)):  # noqa: SLF001  # public but for its name
            refuse("vars of the answer's module")
        return super().__getattribute__(name)

    def __dir__(self) -> list[str]:
        return list(self._request("call", "__dir__", (), {}))

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") and name not in OF_MODULES:
            raise AttributeError(name)
        return self._request("get", name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__"):
            super().__setattr__(name, value)
        else:
            self._request("set", name, value)

    def __delattr__(self, name: str) -> None:
        self._request("del", name)

    def _request(self, what: str, *rest: object) -> Any:  # noqa: ANN401  # whatever the answer has
        line, number = vars(self)["_asked"]
        return line.request(what, number, *rest)


class GivenModules(Loader):
    """Imports the case's files for the tests from memory: the folder they lie in is the answer's to fill."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  # the import system's signature
        target: types.ModuleType | None = None,  # noqa: ARG002  # as above
    ) -> importlib.machinery.ModuleSpec | None:
        """Find a module among the case's files."""
        here = fullname.replace(".", "/")
        for file, is_package in ((f"{here}.py", False), (f"{here}/__init__.py", True)):
            if file in self._sources:
                return importlib.util.spec_from_loader(fullname, self, origin=file, is_package=is_package)
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        """Run a module's source."""
        file = (module.__spec__ and module.__spec__.origin) or ""
        module.__file__ = os.path.abspath(file)  # noqa: PTH100  # pathlib is slow to load
        exec(compile(self._sources[file], file, "exec", dont_inherit=True), module.__dict__)  # noqa: S102


def namespace(job: Mapping[str, Any], line: Asked, number: int, names: list[str]) -> types.ModuleType:
    """Return the module in which the tests run, with the names of the answer that they want.

    `library` are names that stand for modules of the standard library, for those tests that forgot an import.
    """
    demanded, wanted = set(job["demanded"]), set(job["wanted"]).intersection(names)
    module = new_module(TESTS)
    sys.modules[TESTS] = module
    exec(compile(job["helpers"], PREFIX_FILE, "exec", dont_inherit=True), module.__dict__)  # noqa: S102
    for name in set(job["library"]) - demanded:
        vars(module).setdefault(name, importlib.import_module(name))
    taken = sorted(name for name in wanted if name in demanded or name not in vars(module))
    answer = sys.modules[job["module"]] = AnswerModule(job["module"], line, number, taken)
    for name in taken:
        vars(module)[name] = getattr(answer, name)
    return module
