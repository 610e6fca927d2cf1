"""Records of compiled languages."""

from steelyard.languages.language import Language, Packages, Tool

NAME = r"(?P<name>[A-Za-z_$][\w$]*)"
_RUSTUP = "curl https://sh.rustup.rs -sSf | sh"

RUST = Language(
    name="rust",
    aliases=("rs",),
    suffixes=(".rs",),
    main_files=("src/lib.rs", "lib.rs", "src/main.rs", "main.rs"),
    defines=(
        r"(?:pub(?:\([^)\n]*\))?[ \t]+)?"
        r"(?:(?:default|const|async|unsafe|extern(?:[ \t]+\"[^\"\n]*\")?)[ \t]+)*"
        r"(?:(?:fn|struct|enum|union|trait|type|static(?:[ \t]+mut)?|mod|const)[ \t]+|macro_rules![ \t]*)"
        rf"{NAME}"
        r"|(?:unsafe[ \t]+)?impl\b[ \t]*(?P<impl>[^{\n]*)"
    ),
    imports=r"(?:pub[ \t]+)?use[ \t]|extern[ \t]+crate[ \t]",
    only_examples=frozenset({"main"}),
    checker="steelyard.checks.toolchains.rust:RustChecker",
    settings=frozenset({"crate", "equality", "exports", "features", "ignored", "unsafe"}),
    has_linter=True,
    packages=Packages.CRATES,
    probe="pub fn probe() {}\n",
    tools=(
        Tool(program="cargo", use="Rust", fix=_RUSTUP),
        Tool(program="rustc", use="Rust", fix=_RUSTUP),
        Tool(program="clippy-driver", use="Rust lint", fix="rustup component add clippy"),
    ),
)
GO = Language(
    name="go",
    aliases=("golang",),
    suffixes=(".go",),
    main_files=("main.go",),
    defines=rf"(?:func(?:[ \t]*\([^)\n]*\))?|type|var|const)[ \t]+{NAME}",
    imports=r"package[ \t]|import[ \t]",
    imports_first=True,
    only_examples=frozenset({"main"}),
    tests=r"^(?:import)?[ \t]+\"testing\"",
    extraction_rule="7",
    probe="package probe\n\nfunc Probe() {}\n",
    tools=(Tool(program="go", version_arguments=("version",), use="Go", fix="apt-get install golang-go"),),
)
_JAVA_MODIFIER = r"(?:@[\w.]+|static|final|abstract|sealed|non-sealed|strictfp)"
_JAVA_TYPE = rf"(?:class|@?interface|enum|record)[ \t]+{NAME}"
JAVA = Language(
    name="java",
    suffixes=(".java",),
    main_files=("Main.java", "Solution.java"),
    defines=rf"(?:(?:public|private|protected|{_JAVA_MODIFIER})[ \t]+)*{_JAVA_TYPE}",
    imports=r"(?:package|import)[ \t]",
    imports_first=True,
    only_examples=frozenset({"Main"}),
    tests=r"^import[ \t]+(?:static[ \t]+)?(?:org\.(?:junit|testng)|junit)\b",
    public=rf"(?:{_JAVA_MODIFIER}[ \t]+)*public[ \t]+(?:{_JAVA_MODIFIER}[ \t]+)*{_JAVA_TYPE}",
    extraction_rule="7",
    probe="public class Probe {}\n",
    tools=(Tool(program="java", use="Java", fix="apt-get install default-jdk-headless"),),
)
_C_FUNCTION = (
    r"(?:#define|struct|union|enum(?:[ \t]+class)?|class|namespace|typedef[ \t].*?)[ \t]+"
    r"(?P<name>[A-Za-z_]\w*)"
    r"|(?!return\b|else\b|typedef\b)[A-Za-z_][\w:<>,*&~ \t]*?[ \t*&]"
    r"(?P<function>[A-Za-z_][\w:~]*)[ \t]*\([^;\n]*(?:\{|$)"
    r"|template\b"
)
C = Language(
    name="c",
    fences=("h", "gcc"),
    suffixes=(".c", ".h"),
    main_files=("answer.c", "main.c"),
    defines=_C_FUNCTION,
    imports=r"#[ \t]*include\b",
    only_examples=frozenset({"main"}),
    probe="int probe(void) { return 1; }\n",
    tools=(
        Tool(program="gcc", use="C and C++", fix="apt-get install gcc g++"),
        Tool(program="cmake", use="C and C++ with CMake", fix="apt-get install cmake"),
    ),
)
CPP = Language(
    name="cpp",
    aliases=("c++", "cxx", "cc"),
    fences=("hpp", "g++"),
    suffixes=(".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"),
    main_files=("answer.cpp", "main.cpp"),
    defines=_C_FUNCTION,
    imports=r"#[ \t]*include\b|using[ \t]",
    only_examples=frozenset({"main"}),
    probe="int probe() { return 1; }\n",
)
