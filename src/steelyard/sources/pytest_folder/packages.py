"""Find the installed packages that hold imported modules."""

import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import packages_distributions, version

PROVIDED = frozenset({"pytest", "_pytest"})  # there without an `[environment]`


def pinned_packages(modules: Iterable[str]) -> list[str]:
    """Return requirements for imported modules, in the versions installed here.

    >>> pinned_packages(["json", "pytest", "no_such_module"])
    []
    """
    installed = _distributions()
    names = {installed[module][0] for module in _third_party(modules) if module in installed}
    return [f"{name}=={version(name)}" for name in sorted(names)]


def missing_modules(modules: Iterable[str]) -> list[str]:
    """Return the imported modules that are not installed here.

    >>> missing_modules(["json", "pytest", "no_such_module"])
    ['no_such_module']
    """
    return sorted(_third_party(modules) - _distributions().keys())


def _third_party(modules: Iterable[str]) -> set[str]:
    return {*modules} - sys.stdlib_module_names - PROVIDED


@cache
def _distributions() -> Mapping[str, list[str]]:
    return packages_distributions()
