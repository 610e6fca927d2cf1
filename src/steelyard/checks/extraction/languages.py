"""Know languages well enough to find code in prose: their names, their files, what they define.

A few typical lines of each, never a parser: only a compiler can be sure.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_NAME = r"(?P<name>[A-Za-z_$][\w$]*)"
# What a line defines stands at its beginning; a line of a megabyte must not keep a pattern busy.
_BEGINNING = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What code of one language looks like."""

    names: tuple[str, ...]  # the words that mark a block of it; the first is ours
    suffixes: tuple[str, ...] = ()
    main_files: tuple[str, ...] = ()  # where an answer in several files begins
    defines: re.Pattern[str] | None = None  # a line that defines something, with its `name`
    imports: re.Pattern[str] | None = None  # a line that brings something in
    imports_first: bool = False  # whether such lines may stand nowhere but at the top
    only_examples: frozenset[str] = frozenset()  # a block that defines no more than these is an example
    repeated: frozenset[str] = frozenset()  # the first words of what may be defined more than once
    imported: re.Pattern[str] | None = None  # an import of names from a module; they are its last group
    declared_once: bool = False  # whether a name that is imported cannot be defined in the same file
    tests: re.Pattern[str] | None = None  # an import that only tests have
    public: re.Pattern[str] | None = None  # a line with a type, its `name`, that needs a file called like it
    rule: str = "5"  # raised when its code is taken out differently, so that `regrade` checks answers again


def _lines(pattern: str) -> re.Pattern[str]:
    """Return a pattern for the beginning of a line."""
    return re.compile(f"(?:{pattern})")


# What is required from a module is not defined here.
_NO_REQUIRE = r"(?![\w$]|[ \t]*=[ \t]*(?:await[ \t]+)?(?:require|import)\()"
_SCRIPT_IMPORTED = re.compile(
    r"^import[ \t](?P<names>[^;=\"'()]{1,300}?)\bfrom[ \t]*[\"']"
    r"|^(?:const|let|var)[ \t]+(?P<required>\{[^{};=\"'()]{1,300}\}|[\w$]{1,100})[ \t]*=[ \t]*"
    r"(?:await[ \t]+)?(?:require|import)\(",
    re.MULTILINE,
)


_RUST = Language(
    names=("rust", "rs"),
    suffixes=(".rs",),
    main_files=("src/lib.rs", "lib.rs", "src/main.rs", "main.rs"),
    defines=_lines(
        r"(?:pub(?:\([^)\n]*\))?[ \t]+)?"
        r"(?:(?:default|const|async|unsafe|extern(?:[ \t]+\"[^\"\n]*\")?)[ \t]+)*"
        r"(?:(?:fn|struct|enum|union|trait|type|static(?:[ \t]+mut)?|mod|const)[ \t]+|macro_rules![ \t]*)"
        rf"{_NAME}"
        r"|(?:unsafe[ \t]+)?impl\b[ \t]*(?P<impl>[^{\n]*)"
    ),
    imports=_lines(r"(?:pub[ \t]+)?use[ \t]|extern[ \t]+crate[ \t]"),
    only_examples=frozenset({"main"}),
)
_PYTHON = Language(
    names=("python", "py", "python3", "py3", "python2", "py2", "pycon", "ipython", "numpy"),
    suffixes=(".py",),
    main_files=("solution.py", "answer.py", "main.py", "__init__.py"),
    defines=_lines(rf"(?:async[ \t]+def|def|class)[ \t]+{_NAME}"),
    imports=_lines(r"(?:import|from)[ \t]+[\w.]+"),
    imported=re.compile(r"^from [\w.]{1,200} import (?P<names>[^\n]{1,500})", re.MULTILINE),
)
TERRAFORM = Language(
    names=("terraform", "hcl", "tf", "opentofu"),
    suffixes=(".tf", ".tfvars", ".hcl"),
    main_files=("main.tf",),
    defines=_lines(
        r"(?P<name>(?:resource|data|module|variable|output|provider|locals|terraform|import|moved|check)"
        r"(?:[ \t]+\"[^\"\n]*\")*)[ \t]*\{"
    ),
    repeated=frozenset({"provider", "locals", "terraform", "import", "moved"}),
)
_JAVASCRIPT = Language(
    names=("javascript", "js", "node", "mjs", "cjs", "jsx"),
    suffixes=(".js", ".mjs", ".cjs", ".jsx"),
    main_files=("index.js", "main.js"),
    defines=_lines(
        r"(?:export[ \t]+(?:default[ \t]+)?)?(?:async[ \t]+)?"
        rf"(?:function\*?|class|const|let|var)[ \t]+{_NAME}{_NO_REQUIRE}"
    ),
    imports=_lines(r"import\b|(?:const|let|var)[ \t].*\brequire\("),
    imported=_SCRIPT_IMPORTED,
    declared_once=True,
    rule="7",
)
_TYPESCRIPT = Language(
    names=("typescript", "ts", "mts", "tsx"),
    suffixes=(".ts", ".mts", ".tsx"),
    main_files=("index.ts", "main.ts"),
    defines=_lines(
        r"(?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:async[ \t]+)?"
        rf"(?:function\*?|class|interface|type|enum|namespace|const|let|var)[ \t]+{_NAME}{_NO_REQUIRE}"
    ),
    imports=_JAVASCRIPT.imports,
    imported=_SCRIPT_IMPORTED,
    declared_once=True,
    rule="7",
)
_GO = Language(
    names=("go", "golang"),
    suffixes=(".go",),
    main_files=("main.go",),
    defines=_lines(rf"(?:func(?:[ \t]*\([^)\n]*\))?|type|var|const)[ \t]+{_NAME}"),
    imports=_lines(r"package[ \t]|import[ \t]"),
    imports_first=True,
    only_examples=frozenset({"main"}),
    tests=re.compile(r"^(?:import)?[ \t]+\"testing\"", re.MULTILINE),
    rule="7",
)
_JAVA_MODIFIER = r"(?:@[\w.]+|static|final|abstract|sealed|non-sealed|strictfp)"
_JAVA = Language(
    names=("java",),
    suffixes=(".java",),
    main_files=("Main.java", "Solution.java"),
    defines=_lines(
        rf"(?:(?:public|private|protected|{_JAVA_MODIFIER})[ \t]+)*"
        rf"(?:class|@?interface|enum|record)[ \t]+{_NAME}"
    ),
    imports=_lines(r"(?:package|import)[ \t]"),
    imports_first=True,
    only_examples=frozenset({"Main"}),
    tests=re.compile(r"^import[ \t]+(?:static[ \t]+)?(?:org\.(?:junit|testng)|junit)\b", re.MULTILINE),
    public=_lines(
        rf"(?:{_JAVA_MODIFIER}[ \t]+)*public[ \t]+(?:{_JAVA_MODIFIER}[ \t]+)*"
        rf"(?:class|@?interface|enum|record)[ \t]+{_NAME}"
    ),
    rule="7",
)
_C_FUNCTION = (
    r"(?:#define|struct|union|enum(?:[ \t]+class)?|class|namespace|typedef[ \t].*?)[ \t]+"
    r"(?P<name>[A-Za-z_]\w*)"
    r"|(?!return\b|else\b|typedef\b)[A-Za-z_][\w:<>,*&~ \t]*?[ \t*&]"
    r"(?P<function>[A-Za-z_][\w:~]*)[ \t]*\([^;\n]*(?:\{|$)"
    r"|template\b"
)
_C = Language(
    names=("c", "h", "gcc"),
    suffixes=(".c", ".h"),
    main_files=("answer.c", "main.c"),
    defines=_lines(_C_FUNCTION),
    imports=_lines(r"#[ \t]*include\b"),
    only_examples=frozenset({"main"}),
)
_CPP = Language(
    names=("cpp", "c++", "cxx", "cc", "hpp", "g++"),
    suffixes=(".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"),
    main_files=("answer.cpp", "main.cpp"),
    defines=_lines(_C_FUNCTION),
    imports=_lines(r"#[ \t]*include\b|using[ \t]"),
    only_examples=frozenset({"main"}),
)
_OTHERS = (
    Language(
        names=("bash", "sh", "shell", "zsh", "console", "shell-session", "sh-session"), suffixes=(".sh",)
    ),
    Language(names=("json", "jsonc", "json5"), suffixes=(".json",)),
    Language(names=("toml",), suffixes=(".toml",)),
    Language(names=("yaml", "yml"), suffixes=(".yaml", ".yml")),
    Language(names=("xml", "html", "svg"), suffixes=(".xml", ".html")),
    Language(names=("sql",), suffixes=(".sql",)),
    Language(names=("ruby", "rb"), suffixes=(".rb",)),
    Language(names=("csharp", "cs", "c#"), suffixes=(".cs",)),
    Language(names=("kotlin", "kt"), suffixes=(".kt",)),
    Language(names=("swift",), suffixes=(".swift",)),
    Language(names=("php",), suffixes=(".php",)),
    Language(names=("makefile", "make", "cmake", "dockerfile")),
    Language(names=("diff", "patch", "udiff"), suffixes=(".diff", ".patch")),
    Language(names=("markdown", "md", "mdx"), suffixes=(".md",)),
)
_ALL = (_RUST, _PYTHON, TERRAFORM, _JAVASCRIPT, _TYPESCRIPT, _GO, _JAVA, _C, _CPP, *_OTHERS)
_BY_NAME: Mapping[str, Language] = {name: language for language in _ALL for name in language.names}
# Of a suffix that two languages have, such as `.h`, the first is meant where nothing else says which.
_BY_SUFFIX: Mapping[str, Language] = {
    suffix: language for language in reversed(_ALL) for suffix in language.suffixes
}


def language_named(word: str) -> Language | None:
    """Return the language that a word such as `rs` stands for, if we know one.

    >>> language_named("RS").names[0]
    'rust'
    """
    return _BY_NAME.get(word.lower())


def language_of_file(name: str) -> Language | None:
    """Return the language of a file by its suffix, if we know one.

    >>> language_of_file("src/lib.rs").names[0]
    'rust'
    """
    dot = name.rfind(".")
    return _BY_SUFFIX.get(name[dot:].lower()) if dot >= 0 else None


def is_file_of(name: str, language: Language) -> bool:
    """Whether a file may be one of a language, by its suffix.

    >>> is_file_of("shape.h", language_named("cpp")), is_file_of("shape.h", language_named("rust"))
    (True, False)
    """
    return name.lower().endswith(language.suffixes)


def definitions(code: str, language: Language) -> list[str]:
    r"""Return the names that code defines at its outermost level, in order.

    >>> definitions("fn add() {}\nstruct Sum;\nimpl Sum {\n    fn new() {}\n}", language_named("rust"))
    ['add', 'Sum', 'impl Sum']
    """
    if language.defines is None:
        return []
    lines = [line[:_BEGINNING] for line in code.split("\n")]
    names = []
    for at, line in enumerate(lines):
        if match := language.defines.match(line):
            name = _named(match)
            # Named by how they begin: `locals` may follow again, with other values.
            names.append(name if is_unique(name, language) else " ".join((name, *lines[at : at + 2])))
    return names


def public_type(code: str, language: Language) -> str | None:
    r"""Return the first type in code that must stand in a file called like it.

    >>> public_type("class A {}\npublic final class B {}", language_named("java"))
    'B'
    """
    if language.public is None:
        return None
    matches = (language.public.match(line[:_BEGINNING]) for line in code.split("\n"))
    return next((item["name"] for item in matches if item), None)


def is_unique(name: str, language: Language) -> bool:
    """Whether a definition of this name replaces an earlier one.

    >>> is_unique('output "a"', TERRAFORM), is_unique("locals", TERRAFORM)
    (True, False)
    """
    return not language.repeated or name.split(maxsplit=1)[0] not in language.repeated


def imports(line: str, language: Language) -> bool:
    """Whether a line brings something in, such as `use std::fmt;` does.

    >>> imports("use std::fmt;", language_named("rust"))
    True
    """
    return language.imports is not None and language.imports.match(line[:_BEGINNING]) is not None


def _named(found: re.Match[str]) -> str:
    """Return a name for what a line defines; what has none, such as an `impl`, is named by its text."""
    groups = found.groupdict()
    name = groups.get("name") or groups.get("function")
    if name:
        return name
    implemented = groups.get("impl")
    return f"impl {implemented.strip()}" if implemented is not None else found.group().strip()
