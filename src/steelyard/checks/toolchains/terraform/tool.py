"""Run Terraform on a project in a sandbox: no network, fixed settings, providers from one folder."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from steelyard.checks.toolchains.terraform.workspace import Workspace
from steelyard.errors import InfrastructureError
from steelyard.model.execution import GIB, MIB, NEUTRAL_FOLDER, Bind, Command, Limits

MISSING = (
    "terraform is not installed: see https://developer.hashicorp.com/terraform/install, or `steelyard doctor`"
)
PROJECT, PROVIDERS = "project", "providers"
PROVIDERS_ENV = "STEELYARD_TERRAFORM_PROVIDERS"  # a filesystem mirror
TERRAFORM_MEMORY = 2 * GIB  # default limit
# No PATH: modules from git or Mercurial would start programs with arguments from the answer.
ENV = {"CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", "TF_INPUT": "0", "PATH": "/nonexistent"}
# Providers come only from this folder, whose path is known only inside the sandbox.
_BEGIN = """
echo "provider_installation {
  filesystem_mirror {
    path = \\"$PWD/providers\\"
  }
}" > terraform.rc
export TF_CLI_CONFIG_FILE="$PWD/terraform.rc"; cd "project/$2" || exit 97
"""
_VALIDATE = """
"$1" init -backend=false -input=false -no-color >&2; code=$?
[ $code -gt 128 ] && exit $code
"$1" validate -json; exit $code
"""
_TEST = """
"$1" init -backend=false -input=false -no-color -test-directory="$3" >&2 || exit 97
exec "$1" test -json -test-directory="$3"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terraform:
    """The program, its version and the folder of providers."""

    program: str
    version: str
    providers: str | None = None

    def validation(
        self, workspace: Workspace, *, wall_s: float, memory_bytes: int = TERRAFORM_MEMORY
    ) -> Command:
        """Return the command that initialises a project and validates the target's module."""
        return self._command(workspace, _VALIDATE, (), _limits(wall_s, memory_bytes))

    def testing(
        self,
        workspace: Workspace,
        tests: str,
        *,
        folder: str,
        wall_s: float,
        memory_bytes: int = TERRAFORM_MEMORY,
    ) -> Command:
        """Return the command that runs tests, in a folder with an unpredictable name."""
        path = str(PurePosixPath(workspace.folder) / folder / "graded.tftest.hcl")
        tested = Workspace(files={**workspace.files, path: tests.encode()}, target=workspace.target)
        return self._command(tested, _TEST, (folder,), _limits(wall_s, memory_bytes), read_only=path)

    def _command(
        self,
        workspace: Workspace,
        script: str,
        words: tuple[str, ...],
        limits: Limits,
        read_only: str | None = None,
    ) -> Command:
        files = {f"{PROJECT}/{path}": content for path, content in workspace.files.items()}
        # Creates the folder, which may otherwise be empty.
        files[str(PurePosixPath(PROJECT, workspace.folder, ".steelyard"))] = b""
        return Command(
            argv=("/bin/sh", "-c", _BEGIN + script, "sh", self.program, workspace.folder, *words),
            files=files,
            read_only=frozenset([f"{PROJECT}/{read_only}"] if read_only else []),
            binds=self._binds(),
            env=ENV,
            limits=limits,
        )

    def _binds(self) -> tuple[Bind, ...]:
        program = (Bind(source=self.program),) if _is_hidden(self.program) else ()
        return (*program, *([Bind(source=self.providers, at=PROVIDERS)] if self.providers else []))


def installed(*, providers: str | None = None) -> Terraform:
    """Return the installed Terraform; the error explains how to install it.

    The default folder of providers is STEELYARD_TERRAFORM_PROVIDERS.
    """
    providers = providers or os.environ.get(PROVIDERS_ENV) or None
    which = shutil.which("terraform")
    if which is None:
        raise InfrastructureError(MISSING)
    if providers is not None and not Path(providers).is_dir():
        raise InfrastructureError(f"{providers}: no such folder for Terraform providers")
    program = os.path.realpath(which)
    return Terraform(
        program=program, version=_version(program), providers=providers and os.path.realpath(providers)
    )


def _limits(wall_s: float, memory_bytes: int) -> Limits:
    return Limits(
        wall_s=wall_s, cpu_s=wall_s * 2, memory_bytes=memory_bytes, processes=256, output_bytes=16 * MIB
    )


def _version(program: str) -> str:
    try:
        text = subprocess.run(  # noqa: S603  # the user's installed program
            [program, "version", "-json"],
            capture_output=True,
            check=True,
            timeout=60,
            cwd=NEUTRAL_FOLDER,
            env={"CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.devnull},
        )
        return str(json.loads(text.stdout)["terraform_version"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        raise InfrastructureError(f"cannot read the version of {program}: {error}") from error


def _is_hidden(path: str) -> bool:
    """Whether a path is not visible in sandboxes by default."""
    return re.match(r"/(?:usr|bin|sbin|lib\w*)/", path) is None
