"""`steelyard init` and `steelyard validate`: begin with an eval set, and see whether it is good."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import output
from steelyard.errors import InfrastructureError, InputError, UserError
from steelyard.model.evalset import EvalSet
from steelyard.runner.check import sandboxes
from steelyard.runner.check.checkers import Checkers, unchecked_languages
from steelyard.runner.check.references import CheckedAnswer, brought_answers, check_references
from steelyard.sources.shipped import files_of_set, shipped_sets, starting_files

SETS_FOLDER = "eval-sets"
FIRST = f"{SETS_FOLDER}/first.toml"


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to: this folder, or another.")
    ] = Path(),
    *,
    eval_set: Annotated[
        list[str],
        typer.Option(
            "--set",
            envvar="STEELYARD_INIT_SET",
            metavar="NAME",
            help="Copy a shipped eval set too, such as rust-basics; repeatable.",
            default_factory=list,
            show_default=False,
        ),
    ],
) -> None:
    """Write a small working eval set and what belongs beside it; nothing that is there is touched."""
    files, shipped = starting_files(), shipped_sets()
    for name in eval_set:
        if name not in shipped:
            raise UserError(f"--set {name}: there is no such set; there is {', '.join(shipped)}")
        files |= {f"{SETS_FOLDER}/{path}": text for path, text in files_of_set(name).items()}
    _write_new(folder, files)
    lines = [f"wrote {folder / path}" for path in files]
    output.show("\n".join([*lines, f"next: steelyard validate {folder / FIRST} --references", ""]))


def validate(
    eval_set: Annotated[
        str,
        typer.Argument(
            metavar="EVALSET", help="A TOML file, a folder of them, or the name of a shipped set."
        ),
    ],
    *,
    references: Annotated[
        bool,
        typer.Option(
            "--references",
            envvar="STEELYARD_VALIDATE_REFERENCES",
            help="Check that reference answers pass and wrong answers fail.",
        ),
    ] = False,
    sandbox: Annotated[str, typer.Option(help="Where answers run: bubblewrap or oci.")] = sandboxes.DEFAULT,
    unsafe_no_sandbox: Annotated[
        bool,
        typer.Option(
            "--unsafe-no-sandbox",
            envvar="STEELYARD_VALIDATE_UNSAFE_NO_SANDBOX",
            help="Run answers without any sandbox.",
        ),
    ] = False,
    threads: Annotated[int, typer.Option(min=1, help="How many answers to check at a time.")] = 2,
) -> None:
    """Say what is in an eval set, or everything that is wrong with it."""
    found = steelyard.read_eval_set(eval_set)
    refuse_unchecked(found)
    output.show(_described(found))
    if references:
        place = sandboxes.make_sandbox(sandbox, allow_unsafe=unsafe_no_sandbox)
        output.show(_checked(found, Checkers(place), threads=threads))


def refuse_unchecked(found: EvalSet) -> None:
    """Refuse a set with a language whose answers nothing here can check."""
    unknown = [
        f"  nothing checks answers in {language!r}; is it {near}?"
        for language, near in unchecked_languages(found.cases).items()
    ]
    if unknown:
        raise InputError("\n".join([f"{found.id}: there are cases that cannot be checked:", *unknown]))


def _write_new(folder: Path, files: Mapping[str, str]) -> None:
    """Write files that are not there yet; if one of them is, write none."""
    there = [str(folder / path) for path in files if (folder / path).exists()]
    if there:
        raise InputError(
            f"{', '.join(there)}: already there, and nothing is overwritten; choose another folder"
        )
    try:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            with (folder / path).open("x", encoding="utf-8", newline="") as file:
                file.write(text)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to ({error.strerror})") from None


def _described(found: EvalSet) -> str:
    """Return what is in a set: a line for the whole, and one for each suite."""
    counts = f"{_count(len(found.cases), 'case')} in {_count(len(found.suites), 'suite')}"
    lines = [f"{found.id}: {counts}, {_count(len(found.tiers), 'tier')}; nothing is wrong with it"]
    for suite in found.suites:
        inside = found.cases_of(suite.id)
        languages = ", ".join(dict.fromkeys(case.language for case in inside)) or "-"
        brought = sum(case.reference is not None for case in inside)
        wrong = sum(len(case.wrong) for case in inside)
        lines.append(
            f"  suite {suite.id}: {_count(len(inside), 'case')} ({languages}), "
            f"{_count(brought, 'reference answer')}, {_count(wrong, 'wrong answer')}"
        )
    lines += [f"  tiers: {', '.join(tier.id for tier in found.tiers)}", f"  digest: {found.digest}"]
    return "\n".join(lines) + "\n"


def _checked(found: EvalSet, checkers: Checkers, *, threads: int) -> str:
    """Check the answers that a set brings along; the error tells all that are not as they should be."""
    bare = [case.id for case in found.cases if case.reference is None]
    if not any(True for _ in brought_answers(found)):
        raise InputError(f"{found.id}: no case brings an answer to check; give each one a `reference`")
    checked = list(check_references(found, checkers, threads=threads))
    bad = [answer for answer in checked if not answer.is_as_meant]
    if any(answer.is_our_failure for answer in bad):
        raise InfrastructureError(_told(found, [answer for answer in bad if answer.is_our_failure]))
    if bad:
        raise InputError(_told(found, bad))
    good = sum(answer.answer.wrong is None for answer in checked)
    wrong = len(checked) - good
    text = f"references: {good} of {good} pass, {wrong} of {wrong} wrong answers fail\n"
    return text + (f"without a reference answer: {', '.join(bare)}\n" if bare else "")


def _told(found: EvalSet, answers: list[CheckedAnswer]) -> str:
    problems = "\n".join(f"  {answer.problem}" for answer in answers)
    return f"{found.id}: {_count(len(answers), 'answer')} did not end as meant:\n{problems}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
