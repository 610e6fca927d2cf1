"""Canonical names of languages: a case has one of them, whichever usual name its author wrote."""

ALIASES = {
    "cpp": ("c++", "cxx", "cc"),
    "go": ("golang",),
    "javascript": ("js", "node", "nodejs"),
    "python": ("py", "python3"),
    "rust": ("rs",),
    "terraform": ("tf", "hcl"),
    "typescript": ("ts",),
}
_CANONICAL = {name: language for language, aliases in ALIASES.items() for name in (language, *aliases)}


def canonical_language(name: str) -> str:
    """Return the name by which checkers know a language; other names are returned unchanged.

    >>> canonical_language("js"), canonical_language("C++"), canonical_language("Fortran")
    ('javascript', 'cpp', 'Fortran')
    """
    return _CANONICAL.get(name.lower(), name)
