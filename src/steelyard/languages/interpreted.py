"""Records of interpreted languages, and of Terraform."""

from steelyard.languages.compiled import NAME
from steelyard.languages.language import Language, Packages, Stub, Tool

PYTHON = Language(
    name="python",
    aliases=("py", "python3"),
    fences=("py3", "python2", "py2", "pycon", "ipython", "numpy"),
    suffixes=(".py",),
    main_files=("solution.py", "answer.py", "main.py", "__init__.py"),
    defines=rf"(?:async[ \t]+def|def|class)[ \t]+{NAME}",
    imports=r"(?:import|from)[ \t]+[\w.]+",
    imported=r"^from [\w.]{1,200} import (?P<names>[^\n]{1,500})",
    checker="steelyard.checks.toolchains.python.checker:PythonChecker",
    settings=frozenset({"answer", "entry_point", "module", "prefix", "test_file"}),
    packages=Packages.PYPI,
    probe="probe = 1\n",
    stub=Stub(
        functions=r"^(?:async )?def (\w+)",
        function="def {name}(*args, **kwargs):\n    return None\n",
        type="class {name}:\n    def __init__(self, *args, **kwargs):\n        pass\n",
    ),
    tools=(
        Tool(program="python3", use="Python", fix="apt-get install python3"),
        Tool(program="uv", use="packages of eval sets, and other Pythons", fix="pip install uv"),
        Tool(program="pip", use="packages of eval sets, without uv", fix="apt-get install python3-pip"),
    ),
)
TERRAFORM = Language(
    name="terraform",
    aliases=("tf", "hcl"),
    fences=("opentofu",),
    suffixes=(".tf", ".tfvars", ".hcl"),
    main_files=("main.tf",),
    defines=(
        r"(?P<name>(?:resource|data|module|variable|output|provider|locals|terraform|import|moved|check)"
        r"(?:[ \t]+\"[^\"\n]*\")*)[ \t]*\{"
    ),
    repeated=frozenset({"provider", "locals", "terraform", "import", "moved"}),
    checker="steelyard.checks.toolchains.terraform.checker:TerraformChecker",
    validator="steelyard.checks.toolchains.terraform.validator:TerraformValidator",
    settings=frozenset({"allow", "file", "may_remove"}),
    scoring_rule="plausible",
    build_is_check=True,
    probe="locals {\n  probe = 1\n}\n",
    lexer="hcl",
    tools=(
        Tool(
            program="terraform",
            version_arguments=("version",),
            use="Terraform",
            fix="see https://developer.hashicorp.com/terraform",
        ),
    ),
)
# A name that is required from a module is not defined by that line.
_NO_REQUIRE = r"(?![\w$]|[ \t]*=[ \t]*(?:await[ \t]+)?(?:require|import)\()"
_SCRIPT_IMPORTS = r"import\b|(?:const|let|var)[ \t].*\brequire\("
_SCRIPT_IMPORTED = (
    r"^import[ \t](?P<names>[^;=\"'()]{1,300}?)\bfrom[ \t]*[\"']"
    r"|^(?:const|let|var)[ \t]+(?P<required>\{[^{};=\"'()]{1,300}\}|[\w$]{1,100})[ \t]*=[ \t]*"
    r"(?:await[ \t]+)?(?:require|import)\("
)
JAVASCRIPT = Language(
    name="javascript",
    aliases=("js", "node", "nodejs"),
    fences=("mjs", "cjs", "jsx"),
    suffixes=(".js", ".mjs", ".cjs", ".jsx"),
    main_files=("index.js", "main.js"),
    defines=(
        r"(?:export[ \t]+(?:default[ \t]+)?)?(?:async[ \t]+)?"
        rf"(?:function\*?|class|const|let|var)[ \t]+{NAME}{_NO_REQUIRE}"
    ),
    imports=_SCRIPT_IMPORTS,
    imported=_SCRIPT_IMPORTED,
    declared_once=True,
    extraction_rule="8",
    packages=Packages.NPM,
    probe="export const probe = 1;\n",
    stub=Stub(functions=r"^export (?:async )?function\*? (\w+)", function="export function {name}() {{}}\n"),
    tools=(Tool(program="node", use="JavaScript and TypeScript", fix="apt-get install nodejs"),),
)
TYPESCRIPT = Language(
    name="typescript",
    aliases=("ts",),
    fences=("mts", "tsx"),
    suffixes=(".ts", ".mts", ".tsx"),
    main_files=("index.ts", "main.ts"),
    defines=(
        r"(?:export[ \t]+(?:default[ \t]+)?)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:async[ \t]+)?"
        rf"(?:function\*?|class|interface|type|enum|namespace|const|let|var)[ \t]+{NAME}{_NO_REQUIRE}"
    ),
    imports=_SCRIPT_IMPORTS,
    imported=_SCRIPT_IMPORTED,
    declared_once=True,
    extraction_rule="7",
    packages=Packages.NPM,
    probe="export const probe: number = 1;\n",
)
