"""Find a language by its name, an alias, a word after a fence or a file name."""

from collections.abc import Mapping

from steelyard.languages.compiled import CPP, GO, JAVA, RUST, C
from steelyard.languages.interpreted import JAVASCRIPT, PYTHON, TERRAFORM, TYPESCRIPT
from steelyard.languages.language import Language

LANGUAGES = (RUST, TERRAFORM, PYTHON, C, CPP, JAVASCRIPT, TYPESCRIPT, JAVA, GO)
# Never checked; a block of one of them is no answer in another language.
_UNCHECKED = (
    Language(
        name="bash",
        fences=("sh", "shell", "zsh", "console", "shell-session", "sh-session"),
        suffixes=(".sh",),
    ),
    Language(name="json", fences=("jsonc", "json5"), suffixes=(".json",)),
    Language(name="toml", suffixes=(".toml",)),
    Language(name="yaml", fences=("yml",), suffixes=(".yaml", ".yml")),
    Language(name="xml", fences=("html", "svg"), suffixes=(".xml", ".html")),
    Language(name="sql", suffixes=(".sql",)),
    Language(name="ruby", fences=("rb",), suffixes=(".rb",)),
    Language(name="csharp", fences=("cs", "c#"), suffixes=(".cs",)),
    Language(name="kotlin", fences=("kt",), suffixes=(".kt",)),
    Language(name="swift", suffixes=(".swift",)),
    Language(name="php", suffixes=(".php",)),
    Language(name="makefile", fences=("make", "cmake", "dockerfile")),
    Language(name="diff", fences=("patch", "udiff"), suffixes=(".diff", ".patch")),
    Language(name="markdown", fences=("md", "mdx"), suffixes=(".md",)),
)
_ALL = (*LANGUAGES, *_UNCHECKED)
_BY_NAME: Mapping[str, Language] = {
    name: language for language in LANGUAGES for name in (language.name, *language.aliases)
}
_BY_FENCE: Mapping[str, Language] = {
    **_BY_NAME,
    **{word: language for language in _ALL for word in (language.name, *language.fences)},
}
# The first of several languages with a suffix, such as `.h`, takes precedence.
_BY_SUFFIX: Mapping[str, Language] = {
    suffix: language for language in reversed(_ALL) for suffix in language.suffixes
}


def canonical_language(name: str) -> str:
    """Return the name that checkers use for a language; unknown names are returned unchanged.

    >>> canonical_language("js"), canonical_language("C++"), canonical_language("Fortran")
    ('javascript', 'cpp', 'Fortran')
    """
    language = _BY_NAME.get(name.lower())
    return language.name if language else name


def language_named(name: str) -> Language | None:
    """Return the checked language with this name or alias, if any.

    >>> language_named("ruby") is None
    True
    """
    return _BY_NAME.get(name.lower())


def language_of_fence(word: str) -> Language | None:
    """Return the language that a word after a fence denotes, if known.

    >>> language_of_fence("RS").name
    'rust'
    """
    return _BY_FENCE.get(word.lower())


def language_of_file(name: str) -> Language | None:
    """Return the language of a file by its suffix, if known.

    >>> language_of_file("src/lib.rs").name
    'rust'
    """
    dot = name.rfind(".")
    return _BY_SUFFIX.get(name[dot:].lower()) if dot >= 0 else None
