"""List the declarations of Terraform code, and the programs and files that it uses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from steelyard.checks.toolchains.terraform.tokens import HclToken, TokenKind, tokens

LABELS = {"resource": 2, "data": 2, "ephemeral": 2, "module": 1, "variable": 1, "output": 1, "run": 1}
DECLARATIONS = frozenset(LABELS) - {"run"}  # a `run` belongs to a test
READERS = frozenset({"file", "fileset", "templatefile", "filebase64", "fileexists", "filemd5", "filesha256"})
LONGEST_HEAD = 4  # type, labels and brace
ARGUMENTS = 12  # words examined of a call


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block header such as `resource "aws_instance" "web" {`; `depth` 0 is the outermost level."""

    kind: str
    labels: tuple[str, ...]
    line: int = 0
    depth: int = 0

    @property
    def address(self) -> str:
        """The address of the block, with its type.

        >>> Block(kind="resource", labels=("aws_instance", "web")).address
        'resource.aws_instance.web'
        """
        return ".".join((self.kind, *self.labels))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The result of scanning code."""

    blocks: tuple[Block, ...]  # declarations at any depth
    has_blocks: bool  # of any type
    programs: tuple[str, ...]  # constructs that start programs
    readings: frozenset[str]  # calls that read files

    @property
    def declared(self) -> dict[str, Block]:
        """The declarations of the outermost level, by address."""
        return {
            block.address: block for block in self.blocks if block.depth == 0 and block.kind in DECLARATIONS
        }


@lru_cache(maxsize=64)
def scan(code: str) -> Scan:
    r"""Scan code; results are cached.

    >>> scanned = scan('module "m" {\n  source = "./m"\n  text = "${file("a.txt")}"\n}\n# variable "n" {}\n')
    >>> list(scanned.declared), sorted(scanned.readings)
    (['module.m'], ['file ( a.txt )'])
    """
    words = list(tokens(code))
    dense = [word for word in words if word.kind is not TokenKind.LINE]
    return Scan(
        blocks=tuple(_blocks(words)),
        has_blocks=any(word.kind is TokenKind.MARK and word.text == "{" for word in dense),
        programs=tuple(sorted(_programs(dense))),
        readings=frozenset(_readings(dense)),
    )


def _blocks(words: Sequence[HclToken]) -> Iterator[Block]:
    depth, head = 0, list[HclToken]()
    for word in words:
        if word.inside:
            continue
        if word.kind is TokenKind.LINE:
            head = []
            continue
        head.append(word)
        if word.kind is not TokenKind.MARK:
            continue
        if word.text == "{":
            block = _block(head[:-1], depth) if len(head) <= LONGEST_HEAD else None
            if block is not None:
                yield block
            depth += 1
        elif word.text == "}":
            depth, head = max(depth - 1, 0), []


def _block(head: list[HclToken], depth: int) -> Block | None:
    if not head or head[0].kind is not TokenKind.NAME or head[0].text not in LABELS:
        return None
    kind, *labels = head
    if len(labels) != LABELS[kind.text] or any(label.kind is TokenKind.MARK for label in labels):
        return None
    return Block(kind=kind.text, labels=tuple(label.text for label in labels), line=kind.line, depth=depth)


def _programs(words: Sequence[HclToken]) -> Iterator[str]:
    for first, second in pairwise(words):
        if first.kind is TokenKind.NAME and not first.inside:
            if first.text == "provisioner":
                yield f"provisioner {second.text}"
            elif first.text == "data" and second.text == "external":
                yield "data external"


def _readings(words: Sequence[HclToken]) -> Iterator[str]:
    """Yield calls that read files, with plain arguments."""
    for at, word in enumerate(words):
        if word.kind is not TokenKind.NAME or word.text not in READERS:
            continue
        call = [argument.text for argument in words[at : at + ARGUMENTS]]
        if len(call) > 1 and call[1].startswith("("):
            end = next((index for index, text in enumerate(call) if text.startswith(")")), len(call))
            yield " ".join(call[: end + 1])
