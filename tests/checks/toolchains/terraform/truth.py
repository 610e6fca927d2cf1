"""Answers in Terraform of every kind, each with the facts that a check must find."""

# ruff: noqa: E501  # the code of an answer stands as it is

from typing import NamedTuple

from steelyard.model.outcome import Classification
from tests.checks.toolchains.terraform.cases import BROKEN, CALLER, DOUBLING, MODULE, RIGHT

PASS, FAIL, BUILD = Classification.PASS, Classification.FAIL, Classification.BUILD_ERROR
FORMAT, CRASH, TIMEOUT = Classification.WRONG_FORMAT, Classification.CRASH, Classification.TIMEOUT
ERROR, POLICY = Classification.ERROR, Classification.POLICY_VIOLATION


class Truth(NamedTuple):
    """An answer to a case, and the facts about it; what is None is not looked at."""

    name: str
    answer: str
    kind: Classification
    case: str = "repair"
    errors: int | None = None
    warnings: int | None = None
    tests: tuple[int, int] | None = None


def fenced(code: str, word: str = "hcl") -> str:
    return f"Here is the file:\n\n```{word}\n{code}```\n\nIt validates now.\n"


LONG = 'locals {\n  long = "' + "{ # x " * 170_000 + '"\n}\n'
WARNED = RIGHT + 'resource "terraform_data" "d" {\n  lifecycle {\n    ignore_changes = [output]\n  }\n}\n'
HEREDOC = RIGHT + 'locals {\n  text = <<-EOT\n    resource "x" "y" {\n    # ${var.size} }}}\n  EOT\n}\n'
TEMPLATE = RIGHT + 'locals {\n  t = "a ${join(",", ["}", "\\"", "${var.size}"])} {{"\n}\n'

TRUTHS = (
    # right, in every wrapping
    Truth("right, bare", RIGHT, PASS, errors=0, warnings=0),
    Truth("right, fenced hcl", fenced(RIGHT), PASS, errors=0),
    Truth("right, fenced terraform", fenced(RIGHT, "terraform"), PASS),
    Truth("right, fenced tf", fenced(RIGHT, "tf"), PASS),
    Truth("right, fenced without a language", fenced(RIGHT, ""), PASS),
    Truth("right, tildes", f"~~~hcl\n{RIGHT}~~~\n", PASS),
    Truth("right, unclosed fence", f"```hcl\n{RIGHT}", PASS),
    Truth("right, CDATA", f"<fixed_file><![CDATA[{RIGHT}]]></fixed_file>", PASS),
    Truth("right, CDATA around a fence", f"<![CDATA[\n```hcl\n{RIGHT}```\n]]>", PASS),
    Truth("right, file by name", fenced(RIGHT, "hcl main.tf"), PASS),
    Truth("right, name in a comment", fenced("# main.tf\n" + RIGHT), PASS),
    Truth("right, Windows newlines", RIGHT.replace("\n", "\r\n"), PASS),
    Truth("right, byte order mark", "\ufeff" + RIGHT, PASS),
    Truth("right, after thoughts", f"<think>maybe var.sise?</think>\n{fenced(RIGHT)}", PASS),
    Truth(
        "right, as a diff",
        '```diff\n--- a/main.tf\n+++ b/main.tf\n@@ -6,3 +6,3 @@\n resource "terraform_data" "web" {\n-  input = var.sise\n+  input = var.size\n }\n```\n',
        PASS,
    ),
    Truth("right, not formatted", RIGHT.replace("  ", "      "), PASS),
    Truth("right, tabs", RIGHT.replace("  ", "\t"), PASS),
    Truth("right, comments of three kinds", f"# one\n// two\n/* three {{ */\n{RIGHT}", PASS),
    Truth(
        "right, non-ASCII",
        RIGHT.replace('variable "size" {', 'variable "size" {\n  description = "größe 尺寸 🧱"'),
        PASS,
    ),
    Truth("right, heredoc with braces", HEREDOC, PASS),
    Truth("right, nested templates", TEMPLATE, PASS),
    Truth("right, one more resource", RIGHT + 'resource "terraform_data" "more" {\n}\n', PASS),
    Truth("right, in another order", "\n".join(reversed(RIGHT.split("\n\n"))), PASS),
    Truth("right, unquoted labels", RIGHT.replace('"terraform_data" "web" {', "terraform_data web {"), PASS),
    Truth(
        "right, block on one line", RIGHT.replace("{\n  input = var.size\n}", "{ input = var.size }"), PASS
    ),
    Truth(
        "right, count",
        RIGHT.replace("input", "count = 1\n  input").replace(".web.output", ".web[0].output"),
        PASS,
    ),
    Truth("right, with a backend", 'terraform {\n  backend "s3" {\n    bucket = "b"\n  }\n}\n' + RIGHT, PASS),
    Truth("right, a megabyte", RIGHT + LONG, PASS),
    Truth("right, a megabyte of comments", RIGHT + '# {{{ resource "a" "b" {\n' * 40_000, PASS),
    Truth("right with a warning", WARNED, PASS, errors=0, warnings=1),
    # wrong, but Terraform
    Truth("unchanged", BROKEN, BUILD, errors=1),
    Truth("another misspelling", RIGHT.replace("var.size", "var.siz"), BUILD, errors=1),
    Truth("two errors", RIGHT.replace("var.size", "var.a + var.b"), BUILD, errors=2),
    Truth("an attribute that there is not", RIGHT.replace("input =", "imput ="), BUILD, errors=1),
    Truth("a type that there is not", RIGHT.replace("terraform_data", "terraform_date"), BUILD),
    Truth("a missing brace", RIGHT.replace("}\n\noutput", "\n\noutput"), BUILD),
    Truth("a brace too many", RIGHT + "}\n", BUILD),
    Truth("a wrong default", RIGHT.replace("= 1", '= "one"'), BUILD, errors=1),
    Truth("a reference to nothing", RIGHT.replace("web.output", "wet.output"), BUILD, errors=1),
    Truth("a cycle", RIGHT + "locals {\n  a = local.b\n  b = local.a\n}\n", BUILD),
    Truth("declared twice", RIGHT + RIGHT, BUILD),
    Truth("a function that there is not", RIGHT.replace("var.size", "dubble(var.size)"), BUILD, errors=1),
    Truth("JSON instead", fenced('{"resource": {}}', "json"), FORMAT),
    Truth("Python in a Terraform fence", fenced("def f():\n    return 1\n"), FAIL),
    Truth("a version nobody has", 'terraform {\n  required_version = ">= 99"\n}\n' + RIGHT, BUILD),
    Truth(
        "a built-in provider with a version",
        'terraform {\n  required_providers {\n    terraform = {\n      source  = "terraform.io/builtin/terraform"\n      version = "1.0"\n    }\n  }\n}\n'
        + RIGHT,
        BUILD,
    ),
    Truth("a NUL", RIGHT.replace("var.size", "var.size\0"), BUILD),
    Truth("a local module that is not there", RIGHT + 'module "m" {\n  source = "./m"\n}\n', BUILD),
    # not Terraform
    Truth("prose", "I think the variable is misspelt.", FORMAT),
    Truth("a refusal", "I'm sorry, but I can't help with that.", FORMAT),
    Truth("nothing", "", FORMAT),
    Truth("blanks", " \n\t\n", FORMAT),
    Truth("an empty fence", "```hcl\n```\n", FORMAT),
    # heavy
    Truth(
        "a product without end",
        RIGHT + "locals {\n  r = range(1024)\n  p = setproduct(local.r, local.r, local.r, local.r)\n}\n",
        CRASH,
    ),
    Truth(
        "brackets without end",
        RIGHT + "locals {\n  a = " + "[" * 80_000 + "]" * 80_000 + "\n}\n",
        TIMEOUT,
        case="hurried",
    ),
    # other cases
    Truth("module, right", CALLER.replace("nam ", "name"), PASS, case="module"),
    Truth("module, unchanged", CALLER, BUILD, case="module"),
    Truth(
        "module, mended on the other side",
        fenced(MODULE.replace('"name"', '"nam"').replace("var.name", "var.nam"), "hcl modules/it/main.tf"),
        FAIL,
        case="module",
    ),
    Truth("inside a module, right", MODULE, PASS, case="in module"),
    Truth("inside a module, by the short name", fenced(MODULE, "hcl main.tf"), PASS, case="in module"),
    Truth("a type mended", 'resource "terraform_data" "web" {\n}\n', PASS, case="wrong type"),
    Truth("a type mended, the name lost", 'resource "terraform_data" "wet" {\n}\n', FAIL, case="wrong type"),
    Truth(
        "the second declaration removed", 'resource "terraform_data" "a" {}\n', PASS, case="declared twice"
    ),
    Truth(
        "both declarations kept",
        'variable "n" {}\nresource "terraform_data" "a" {}\n',
        BUILD,
        case="declared twice",
    ),
    Truth(
        "the brace found", 'variable "n" {\n}\nresource "terraform_data" "a" {\n}\n', PASS, case="unclosed"
    ),
    Truth("the brace found, the rest lost", 'variable "n" {\n}\n', FAIL, case="unclosed"),
    Truth("written as demanded", RIGHT, PASS, case="written"),
    Truth("written without the output", RIGHT.split("output")[0], FAIL, case="written"),
    Truth("written freely", "locals {\n  a = 1\n}\n", PASS, case="anything"),
    Truth("invalid as demanded", BROKEN, PASS, case="invalid"),
    Truth("valid against the demand", RIGHT, FAIL, case="invalid"),
    Truth("an output that may go", RIGHT.split("output")[0], PASS, case="removable"),
    Truth(
        "a resource that may not go",
        RIGHT.replace('"web" {\n  input', '"wet" {\n  input').replace("web.out", "wet.out"),
        FAIL,
        case="removable",
    ),
    Truth("all may go", "locals {\n  a = 1\n}\n", PASS, case="all removable"),
    Truth(
        "a provider that is not here",
        'resource "aws_instance" "web" {\n  ami = "x"\n}\n',
        ERROR,
        case="provider",
    ),
    Truth(
        "a remote module",
        'module "vpc" {\n  source = "terraform-aws-modules/vpc/aws"\n}\n',
        ERROR,
        case="remote module",
    ),
    Truth(
        "programs that were there",
        RIGHT
        + 'resource "terraform_data" "p" {\n  provisioner "local-exec" {\n    command = "false"\n  }\n}\n',
        PASS,
        case="programs",
    ),
    Truth("tests pass", DOUBLING, PASS, case="tested", tests=(2, 0)),
    Truth("tests fail", RIGHT, FAIL, case="tested", tests=(0, 2)),
    Truth("tests pass and should not", DOUBLING, FAIL, case="tested, wrong on purpose", tests=(2, 0)),
    Truth("tests fail and should", RIGHT, PASS, case="tested, wrong on purpose", tests=(0, 2)),
    Truth(
        "one test fails",
        RIGHT.replace("= var.size", "= var.size == 1 ? 2 : 5"),
        FAIL,
        case="tested",
        tests=(1, 1),
    ),
    Truth("tested and invalid", BROKEN, BUILD, case="tested"),
    Truth("no tests in the tests", RIGHT, FAIL, case="no tests in it", tests=(0, 0)),
    Truth("tests that are broken", RIGHT, ERROR, case="broken tests"),
)
