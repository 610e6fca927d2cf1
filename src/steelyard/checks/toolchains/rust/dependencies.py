"""Build the crates that answers may use, with cargo and offline, once per set.

Sources are files of the case (`vendor/NAME/…`) or a folder created by `cargo vendor`. Answers are built
without cargo, so they cannot bring manifests, build scripts or settings.
"""

import io
import json
import shutil
import tarfile
import tempfile
import threading
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.toolchains.rust.toolchain import Toolchain
from steelyard.checks.toolchains.rust.vendored import VENDOR, missing_crates, vendor_digest, vendor_folder
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.case import Case, Dependency
from steelyard.model.execution import GIB, MIB, Bind, Command, Limits
from steelyard.model.sample import text_digest
from steelyard.ports import Sandbox

_VENDORED = "vendored"  # mount point of the vendor folder
_LIBRARIES = "libraries"  # mount point of built crates
_LIMITS = Limits(
    wall_s=600,
    cpu_s=1200,
    memory_bytes=4 * GIB,
    workspace_bytes=2 * GIB,
    file_bytes=512 * MIB,
    keep_bytes=512 * MIB,
    processes=256,
    output_bytes=16 * MIB,
)
_SCRIPT = """
"$1" build --offline --message-format=json --quiet >built.jsonl || exit 1
cd target/debug/deps && tar -cf ../../../deps.tar --exclude='*.d' .
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """Built crates: compiler options and binds."""

    options: tuple[str, ...] = ()
    binds: tuple[Bind, ...] = ()

    def with_features(self, features: Iterable[str]) -> "Built":
        """Return the same with enabled features of the answer's crate."""
        names = sorted(features)
        known = ", ".join(f'"{name}"' for name in names)
        enabled = [word for name in names for word in ("--cfg", f'feature="{name}"')]
        check = ("--check-cfg", f"cfg(feature, values({known}))")
        return replace(self, options=(*self.options, *check, *enabled))


class Dependencies:
    """Builds crates once and keeps them in a temporary folder; thread-safe."""

    def __init__(self, sandbox: Sandbox, toolchain: Toolchain, *, vendor: Path | None = None) -> None:
        self._sandbox = sandbox
        self._toolchain = toolchain
        self._given = vendor
        self._lock = threading.Lock()
        self._known: dict[str, Built] = {}
        self._folder: Path | None = None
        self._tools: dict[str, str] | None = None

    def of(self, case: Case) -> Built:
        """Return the built crates of a case."""
        if not case.dependencies:
            return Built()
        manifest = _manifest(case)
        vendored = {name: text for name, text in case.files.items() if name.startswith(f"{VENDOR}/")}
        digest = text_digest(json.dumps([manifest, vendored, self._toolchain.version], sort_keys=True))
        with self._lock:
            if digest not in self._known:
                packed, output = self._build(manifest, vendored)
                names = {dependency.name for dependency in case.dependencies}
                self._known[digest] = self._unpack(packed, output, digest, names)
            return self._known[digest]

    @property
    def _vendor(self) -> Path | None:
        """The folder of crates; read only for cases with dependencies."""
        return self._given or vendor_folder()

    def tools(self, case: Case) -> dict[str, str]:
        """Return the digest of the vendor folder, if the case uses it."""
        if not missing_crates((case,), None) or self._vendor is None:
            return {}
        if self._tools is None:
            self._tools = {"vendor": vendor_digest(self._vendor)}
        return self._tools

    def _build(self, manifest: str, vendored: dict[str, str]) -> tuple[bytes, str]:
        """Return all crates in one archive, and cargo's messages."""
        if not self._toolchain.has_cargo:
            raise InfrastructureError("a case has dependencies, but cargo is not installed")
        ended = self._sandbox.run(
            Command(
                argv=("/bin/sh", "-c", _SCRIPT, "sh", self._toolchain.tool("cargo")),
                files={name: text.encode() for name, text in self._sources(manifest, vendored)},
                binds=(*self._toolchain.binds, *self._vendor_binds()),
                env={
                    "PATH": f"{self._toolchain.sysroot}/bin:/usr/local/bin:/usr/bin:/bin",
                    "CARGO_HOME": ".cargo-home",
                    "CARGO_INCREMENTAL": "0",
                },
                keep=("built.jsonl", "deps.tar"),
                limits=_LIMITS,
            )
        )
        if not ended.succeeded:
            why = excerpt(ended.stderr.decoded() + ended.files.get("built.jsonl", b"").decode())
            raise InputError(f"cannot build the dependencies of a case: {why or ended.limit}")
        return ended.files["deps.tar"], ended.files["built.jsonl"].decode()

    def _sources(self, manifest: str, vendored: dict[str, str]) -> Iterator[tuple[str, str]]:
        yield "Cargo.toml", manifest
        yield "src/lib.rs", ""
        yield from vendored.items()
        if self._vendor is not None:
            yield (
                ".cargo/config.toml",
                (
                    '[source.crates-io]\nreplace-with = "vendored"\n'
                    f'[source.vendored]\ndirectory = "{_VENDORED}"\n'
                ),
            )

    def _vendor_binds(self) -> tuple[Bind, ...]:
        return () if self._vendor is None else (Bind(source=str(self._vendor.resolve()), at=_VENDORED),)

    def _unpack(self, packed: bytes, messages: str, digest: str, names: set[str]) -> Built:
        """Unpack crates for later builds."""
        folder = self._shelf() / digest
        folder.mkdir()
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            for member in archive:
                # Regular files of one folder only: early versions of Python 3.11 have no extraction filters.
                if member.isreg() and (content := archive.extractfile(member)):
                    library = folder / Path(member.name).name
                    library.write_bytes(content.read())
                    library.chmod(0o644)
        # The folder is world-readable: the build in the sandbox runs as another user.
        folder.chmod(0o755)
        externs = [
            word
            for name, file in sorted(_artifacts(messages, names).items())
            for word in ("--extern", f"{name}={_LIBRARIES}/{file}")
        ]
        bind = Bind(source=str(folder), at=_LIBRARIES)
        return Built(options=("-L", f"dependency={_LIBRARIES}", *externs), binds=(bind,))

    def _shelf(self) -> Path:
        """Return the temporary folder of all crates."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="steelyard-rust-"))
            self._folder.chmod(0o755)
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder


def _manifest(case: Case) -> str:
    """Return a manifest with the dependencies of a case."""
    lines = [
        '[package]\nname = "steelyard-dependencies"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]'
    ]
    lines += [_dependency_line(dependency, case) for dependency in case.dependencies]
    return "\n".join(lines) + "\n"


def _dependency_line(dependency: Dependency, case: Case) -> str:
    text = {"version": json.dumps(dependency.version), "features": json.dumps(list(dependency.features))}
    if f"{VENDOR}/{dependency.name}/Cargo.toml" in case.files:
        text["path"] = json.dumps(f"{VENDOR}/{dependency.name}")
    return f"{dependency.name} = {{ {', '.join(f'{key} = {value}' for key, value in text.items())} }}"


def _artifacts(messages: str, names: set[str]) -> dict[str, str]:
    """Return the files of the named crates from cargo's messages, by the names that code uses."""
    artifacts = {}
    for line in messages.splitlines():
        message = json.loads(line)
        if message.get("reason") != "compiler-artifact":
            continue
        files = (Path(file).name for file in message["filenames"] if file.endswith((".rlib", ".so")))
        if _package(message["package_id"]) in names and (file := next(files, None)):
            artifacts[message["target"]["name"].replace("-", "_")] = file
    return artifacts


def _package(identity: str) -> str:
    """Return the name of a package from its cargo identifier.

    >>> _package("registry+https://index#itoa@1.0.0"), _package("path+file:vendor/shapes#1.2.3")
    ('itoa', 'shapes')
    """
    index, _, rest = identity.partition("#")
    name, _, version = rest.partition("@")
    return name if version else index.rpartition("/")[2]
