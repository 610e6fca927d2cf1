"""Terraform cases that the corpora are about: one broken project, and the same question in other forms."""

from steelyard.model.case import Case, Expectations

BROKEN = """\
variable "size" {
  type    = number
  default = 1
}

resource "terraform_data" "web" {
  input = var.sise
}

output "web" {
  value = terraform_data.web.output
}
"""
RIGHT = BROKEN.replace("sise", "size")
MODULE = 'variable "name" {\n  type = string\n}\n\nresource "terraform_data" "it" {\n  input = var.name\n}\n'
CALLER = 'module "it" {\n  source = "./modules/it"\n  nam    = "x"\n}\n'
TESTS = """\
run "doubles" {
  variables {
    size = 3
  }
  assert {
    condition     = terraform_data.web.input == 6
    error_message = "3 does not become 6"
  }
}

run "shows" {
  command = apply
  assert {
    condition     = output.web == 2
    error_message = "the output is not 2"
  }
}
"""
DOUBLING = RIGHT.replace("= var.size", "= var.size * 2")


def case(files: dict[str, str] | None = None, *, timeout_s: float = 20.0, **expectations: object) -> Case:
    settings = expectations.pop("settings", {})
    return Case(
        id="repair",
        language="terraform",
        timeout_s=timeout_s,
        files={"main.tf": BROKEN} if files is None else files,
        expectations=Expectations(settings=settings, **expectations),  # type: ignore[arg-type]  # by name, in tests
    )


REPAIR = case()
CASES = {
    "repair": REPAIR,
    "hurried": case(timeout_s=1.0),
    "tested": case(tests=TESTS),
    "tested, wrong on purpose": case(tests=TESTS, should_pass_tests=False),
    "tested-freely": case(tests=TESTS, settings={"allow": "programs, files"}),
    "written": case({}, types=("resource.terraform_data.web", "output.web")),
    "anything": case({}),
    "invalid": case(should_build=False),
    "removable": case(settings={"may_remove": "output.web"}),
    "all removable": case(settings={"may_remove": "*"}),
    "module": case({"main.tf": CALLER, "modules/it/main.tf": MODULE}, settings={"file": "main.tf"}),
    "in module": case(
        {
            "main.tf": CALLER.replace("nam ", "name"),
            "modules/it/main.tf": MODULE.replace("var.name", "var.nam"),
        },
        settings={"file": "modules/it/main.tf"},
    ),
    "wrong type": case({"main.tf": 'resource "terraform_dat" "web" {\n}\n'}),
    "declared twice": case(
        {
            "main.tf": 'variable "n" {}\nresource "terraform_data" "a" {}\n',
            "variables.tf": 'variable "n" {}\n',
        },
        settings={"file": "main.tf"},
    ),
    "unclosed": case({"main.tf": 'variable "n" {\n\nresource "terraform_data" "a" {\n}\n'}),
    "provider": case({"main.tf": 'resource "aws_instance" "web" {\n  amy = "x"\n}\n'}),
    "remote module": case(
        {"main.tf": 'module "vpc" {\n  source = "terraform-aws-modules/vpc/aws"\n  x y\n}\n'}
    ),
    "programs": case(
        {
            "main.tf": BROKEN
            + 'resource "terraform_data" "p" {\n  provisioner "local-exec" {\n    command = "true"\n  }\n}\n'
        }
    ),
    "no tests in it": case(tests="# run nothing\n"),
    "broken tests": case(tests='run "x" {'),
}
