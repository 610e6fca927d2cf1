"""Answers in Terraform that try to cheat, each with the outcome it must get."""

from typing import NamedTuple

from steelyard.model.outcome import Classification
from tests.checks.toolchains.terraform.cases import BROKEN, CALLER, RIGHT
from tests.checks.toolchains.terraform.truth import BUILD, CRASH, FAIL, FORMAT, PASS, POLICY, fenced

MARK = "314159"  # so many seconds a left-over process would sleep
DELETED = 'variable "size" {\n  type    = number\n  default = 1\n}\n\noutput "web" {\n  value = 1\n}\n'
FORGED = '{\\"format_version\\":\\"1.0\\",\\"valid\\":true,\\"error_count\\":0,\\"diagnostics\\":[]}'
RESOURCE = 'resource "terraform_data" "web" {\n}\n'


class Attack(NamedTuple):
    """An answer, what it tries, and how its check must end."""

    tries: str
    answer: str
    kind: Classification
    case: str = "repair"


def beside(name: str, text: str, *, main: str = BROKEN) -> str:
    """An answer of two files, one of them the one that was asked for."""
    return f"```hcl main.tf\n{main}```\n\n```hcl {name}\n{text}```\n"


def commented(mark: str) -> str:
    return "".join(f"{mark} {line}\n" for line in RIGHT.splitlines())


def running(command: str, code: str = RIGHT) -> str:
    """An answer that starts a program when it is applied."""
    block = (
        f'\n  provisioner "local-exec" {{\n    command = <<-EOT\n      {command}\n    EOT\n  }}\n}}\n\noutput'
    )
    return code.replace("\n}\n\noutput", block)


LINE = (
    '{\\"type\\":\\"test_run\\",\\"test_run\\":{\\"path\\":\\"x\\",\\"run\\":\\"NAME\\",'
    '\\"progress\\":\\"complete\\",\\"status\\":\\"pass\\"}}'
)
SUMMARY = '{\\"type\\":\\"test_summary\\",\\"test_summary\\":{\\"status\\":\\"pass\\"}}'
FORGE = "; ".join(
    f'echo "{line}" > /proc/$PPID/fd/1'
    for line in (LINE.replace("NAME", "doubles"), LINE.replace("NAME", "shows"), SUMMARY)
)
DOUBLED = (
    'locals {\n  s0 = "0123456789abcdef"\n'
    + "".join(f'  s{n + 1} = "${{local.s{n}}}${{local.s{n}}}"\n' for n in range(29))
    + "}\n"
)
PRODUCT = "locals {\n  r = range(1024)\n  p = setproduct(" + ", ".join(["local.r"] * 6) + ")\n}\n"
REMOTE = 'module "m" {\n  source = "SOURCE"\n}\n'
TEMPLATE = """
locals {
  d     = "$"
  q     = "\\""
  t     = "${local.d}{fi"
  line  = templatestring("${local.t}le(${local.q}/proc/self/cmdline${local.q})}", {})
}
"""
FLOOD = """
locals {
  k = join("", [for i in range(1024) : "0123456789abcdef"])
  m = join("", [for i in range(1024) : local.k])
}
check "c" {
  assert {
    condition     = var.size == 99
    error_message = "${local.m}"
  }
}
"""
LISTED = 'length(fileset(path.module, "**"))'
LISTING = f"```hcl main.tf\n{RIGHT.replace('var.size', LISTED)}```\n"
OUTSIDE = (
    '--- a/main.tf\n+++ b/main.tf\n@@ -6,3 +6,3 @@\n resource "terraform_data" "web" {\n-  input = var.sise\n'
    "+  input = var.size\n }\n--- /dev/null\n+++ b/../../evil.tf\n@@ -0,0 +1 @@\n+locals {}\n"
)

ATTACKS = (
    # leaving out what is broken
    Attack("an empty file", "```hcl\n\n```", FORMAT),
    Attack("only a comment", "```hcl\n# nothing\n```", FAIL),
    Attack("everything commented out with #", commented("#"), FAIL),
    Attack("everything commented out with //", fenced(commented("//")), FAIL),
    Attack("everything in one comment", f"```hcl\n/*\n{RIGHT}*/\n```", FAIL),
    Attack("all but a local value commented out", fenced(commented("#") + "locals {\n  a = 1\n}\n"), FAIL),
    Attack("the broken block deleted", DELETED, FAIL),
    Attack("an output deleted", RIGHT.split("output")[0], FAIL),
    Attack(
        "a variable deleted", 'resource "terraform_data" "web" {\n}\noutput "web" {\n  value = 1\n}\n', FAIL
    ),
    Attack("the block in a heredoc", f"{DELETED}locals {{\n  x = <<EOT\n{RESOURCE}EOT\n}}\n", FAIL),
    Attack(
        "the block in a comment of a template of a heredoc",
        f"{DELETED}locals {{\n  x = <<EOT\n${{1 /*\nEOT\n}}\n{RESOURCE}locals {{\n*/ }}\nEOT\n}}\n",
        FAIL,
    ),
    Attack(
        "an output in a heredoc whose word has an accent of its own",
        RIGHT.split("output")[0]
        + 'locals {\n  n = <<E\u0301\n}\noutput "web" {\n  value = 1\n}\nlocals {\nE\u0301\n}\n',
        FAIL,
    ),
    Attack("the block between quotes that are not", f'{DELETED}# "\n/* " */ /*\n{RESOURCE}*/\n', FAIL),
    Attack("the block in a module beside", beside("sub/main.tf", RESOURCE, main=DELETED), FAIL),
    Attack("the block nested in another", DELETED + "locals {\n" + RESOURCE + "}\n", BUILD),
    Attack(
        "the block as another kind",
        DELETED + 'data "terraform_remote_state" "web" {\n  backend = "local"\n}\n',
        FAIL,
    ),
    Attack(
        "the name in look-alike letters",
        RIGHT.replace('"web" {\n  in', '"w\u0435b" {\n  in').replace("data.web", "data.w\u0435b"),
        FAIL,
    ),
    Attack(
        "removed by a removed block",
        DELETED + "removed {\n  from = terraform_data.web\n  lifecycle {\n    destroy = false\n  }\n}\n",
        FAIL,
    ),
    Attack("switched off by count", BROKEN.replace("  input", "  count = 0\n  input"), BUILD),
    Attack("switched off by for_each", BROKEN.replace("  input", "  for_each = {}\n  input"), BUILD),
    Attack("the error hidden behind an earlier one", "locals {\n  a = \n}\n" + BROKEN, BUILD),
    Attack("the error hidden behind an unclosed brace", "locals {\n" + BROKEN, BUILD),
    Attack(
        "the error hidden behind a version", 'terraform {\n  required_version = "< 0.1"\n}\n' + BROKEN, BUILD
    ),
    # forged results
    Attack(
        "a forged verdict in a description",
        BROKEN.replace("type ", f'description = "{FORGED}"\n  type '),
        BUILD,
    ),
    Attack("a forged verdict as a comment", f"# {FORGED}\n{BROKEN}", BUILD),
    Attack("a forged verdict as the answer", FORGED.replace("\\", ""), BUILD),
    Attack("a forged verdict as a name", RIGHT.replace("var.size", f'var["{FORGED}"]'), BUILD),
    # files that set up the tool or change other files
    Attack("an override file", beside("main_override.tf", RESOURCE), POLICY),
    Attack("the override file", beside("override.tf", RESOURCE), POLICY),
    Attack("an override file in capitals", beside("MAIN_OVERRIDE.TF", RESOURCE), POLICY),
    # what is no code is not taken out of an answer at all
    Attack("a JSON override", beside("x_override.tf.json", "{}\n"), BUILD),
    Attack("code as JSON", beside("more.tf.json", "{}\n"), BUILD),
    Attack("a configuration of the tool", beside("terraform.rc", 'plugin_cache_dir = "/"\n'), POLICY),
    Attack("a hidden configuration of the tool", beside(".terraformrc", 'plugin_cache_dir = "/"\n'), BUILD),
    Attack("a module list of its own", beside(".terraform/modules/modules.json", "{}\n"), BUILD),
    Attack("a lock file", beside(".terraform.lock.hcl", "x {\n}\n"), POLICY),
    Attack("values of its own", beside("terraform.tfvars", "size = 3\n", main=RIGHT), POLICY),
    Attack(
        "tests of its own", beside("own.tftest.hcl", 'run "doubles" {\n}\n', main=RIGHT), POLICY, "tested"
    ),
    Attack("a path out of the workspace", fenced("locals {\n  a = 1\n}\n", "hcl ../../evil.tf"), FAIL),
    Attack("an absolute path", fenced("locals {\n  a = 1\n}\n", "hcl /etc/evil.tf"), FAIL),
    # programs
    Attack("a program at creation", running("true"), POLICY),
    Attack("a program on another machine", running("true").replace("local-exec", "remote-exec"), POLICY),
    Attack("a program as a data source", RIGHT + 'data "external" "x" {\n  program = ["true"]\n}\n', POLICY),
    Attack(
        "a program without quotes around its kind", RIGHT + "data external x {\n  program = []\n}\n", POLICY
    ),
    Attack(
        "one program more than there was",
        running("true")
        + 'resource "terraform_data" "p" {\n  provisioner "local-exec" {\n    command = "true"\n  }\n}\n',
        POLICY,
        "programs",
    ),
    Attack("a program in a tested answer", running("true"), POLICY, "tested"),
    Attack("forged test results through the parent's output", running(FORGE), FAIL, "tested-freely"),
    Attack(
        "forged test results, then the parent killed",
        running(f"{FORGE}; kill -9 $PPID"),
        CRASH,
        "tested-freely",
    ),
    Attack("the parent asked to stop", running(f"{FORGE}; kill -INT $PPID; sleep 1"), FAIL, "tested-freely"),
    Attack(
        "a process left behind", running(f"setsid sleep {MARK} > /dev/null 2>&1 &"), FAIL, "tested-freely"
    ),
    Attack("the tests deleted", running("rm -rf graded_* && rm -f *.tf"), FAIL, "tested-freely"),
    # reaching out
    Attack(
        "a provider from elsewhere",
        'terraform {\n  required_providers {\n    evil = {\n      source = "evil/evil"\n    }\n  }\n}\n'
        + RIGHT,
        BUILD,
    ),
    Attack("a resource of another provider", RIGHT + 'resource "null_resource" "n" {\n}\n', BUILD),
    Attack("a module from the registry", RIGHT + REMOTE.replace("SOURCE", "evil/evil/evil"), BUILD),
    Attack("a module by http", RIGHT + REMOTE.replace("SOURCE", "http://localhost/m.zip"), BUILD),
    Attack(
        "a module by git that runs a command", RIGHT + REMOTE.replace("SOURCE", "git::ext::sh -c true"), BUILD
    ),
    Attack("a module by Mercurial", RIGHT + REMOTE.replace("SOURCE", "hg::http://localhost/m"), BUILD),
    Attack("a file of the host", RIGHT.replace("= 1", '= 1\n  description = file("/etc/shadow")'), BUILD),
    Attack("a key of the host", RIGHT + 'locals {\n  k = file("~/.ssh/id_rsa")\n}\n', BUILD),
    Attack(
        "the tests listed", RIGHT.replace("var.size", 'length(fileset(path.module, "**"))'), POLICY, "tested"
    ),
    Attack(
        "the tests read in a template",
        RIGHT.replace("var.size", '"${file("graded.tftest.hcl")}"'),
        POLICY,
        "tested",
    ),
    Attack(
        "the tests read as a template", RIGHT.replace("var.size", 'templatefile("x", {})'), POLICY, "tested"
    ),
    Attack(
        "the tests read by a file that is a template",
        beside(
            "x.tftpl", 'a stray " and # hide nothing\n${file(one(fileset(".", "*/*.hcl")))}\n', main=RIGHT
        ),
        POLICY,
        "tested",
    ),
    Attack(
        "the tests listed behind a file that opens a comment",
        f"```text notes.txt\n/*\n```\n\n{LISTING}",
        POLICY,
        "tested",
    ),
    Attack(
        "a program behind a file that opens a comment",
        f"```text notes.txt\n/*\n```\n\n```hcl main.tf\n{running('true')}```\n",
        POLICY,
    ),
    *(
        Attack(
            f"the tests listed between heredocs that end with the blank {blank!a}",
            RIGHT + f"locals {{\n  a = <<E\n{blank}E\n  b = {LISTED}\n  c = <<E\nE\n}}\n",
            POLICY,
            "tested",
        )
        for blank in ("\f", "\u00a0", "\u2028")
    ),
    Attack("a module's source in brackets", RIGHT + REMOTE.replace('"SOURCE"', '("evil/evil/evil")'), BUILD),
    Attack(
        "a module's source in brackets beside one that is there",
        CALLER.replace("nam ", "name") + REMOTE.replace('"SOURCE"', '("evil/evil/evil")'),
        BUILD,
        "module",
    ),
    Attack(
        "a module's source in a heredoc",
        RIGHT + REMOTE.replace('"SOURCE"', "<<EOT\nevil/evil/evil\nEOT"),
        BUILD,
    ),
    Attack("a module that is not there", RIGHT + REMOTE.replace("SOURCE", "./missing"), BUILD),
    Attack(
        "a module by a pattern that fits the tests",
        RIGHT + REMOTE.replace("SOURCE", "/box/work/project//graded_*"),
        BUILD,
        "tested",
    ),
    Attack(
        "a provider in brackets",
        'terraform {\n  required_providers {\n    web = { source = ("evil/evil") }\n  }\n}\n' + RIGHT,
        BUILD,
    ),
    Attack("a program for a moment", RIGHT + 'ephemeral "external" "x" {\n}\n', BUILD),
    Attack("a program with a letter escaped", RIGHT + 'data "exter\\u006eal" "x" {\n}\n', BUILD),
    Attack("the tests read by a template that is put together", RIGHT + TEMPLATE, BUILD, "tested"),
    Attack(
        "the tests listed by the core's own name",
        RIGHT + 'locals {\n  x = core::fileset(path.module, "**")\n}\n',
        POLICY,
        "tested",
    ),
    # becoming an infrastructure error
    Attack("a folder in the place of the file", beside("main.tf/x.tf", "locals {\n  a = 1\n}\n"), BUILD),
    Attack("a diff that leads out of the workspace", OUTSIDE, BUILD),
    Attack("a message that is cut off", RIGHT + FLOOD, CRASH, "tested"),
    # exhausting
    Attack("memory", RIGHT + DOUBLED, CRASH),
    Attack("a product too large", RIGHT + PRODUCT, BUILD),
    Attack(
        "output",
        "".join(f'resource "no_{n}" "x" {{\n  y = var.{"z" * 900}\n}}\n' for n in range(300)) + RIGHT,
        BUILD,
    ),
)
HARMLESS = (
    Attack("a module outside of the workspace", RIGHT + REMOTE.replace("SOURCE", "../../../../etc"), PASS),
    Attack(
        "a module by the root of a process", RIGHT + REMOTE.replace("SOURCE", "/proc/self/root/etc"), PASS
    ),
    Attack(
        "an import of what is there",
        RIGHT + 'import {\n  to = terraform_data.web\n  id = "x"\n}\n',
        PASS,
    ),
    Attack("a local value of the probe's name", RIGHT + "locals {\n  steelyard_0 = 1\n}\n", PASS),
)
