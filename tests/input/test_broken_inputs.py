"""Every broken input gives exit code 2 and one screen that says where, what and what to do."""

from pathlib import Path

import pytest

from steelyard.cli.main import main
from tests.input import encodings, lines, options, places, records, shapes, tables, values
from tests.input.broken import Broken

CORPUS: tuple[Broken, ...] = (
    *encodings.ENCODINGS,
    *(*shapes.LINES, *shapes.HEADERS),
    *(*values.FLAGS, *values.NUMBERS, *values.NAMES, *values.CONTRADICTIONS),
    *(*places.PATHS, *places.PACKED_FILES, *places.OUTPUTS),
    *(*tables.WHOLE_FILES, *tables.TYPES),
    *lines.LINES,
    *(*options.MAPPING, *options.PASS_K, *options.WEIGHTS, *options.RULES, *options.USAGE),
    *(*records.PROBLEMS, *records.REPORTS, *records.PAIRS, *records.CONFIGURATIONS),
)
LINES_ON_A_SCREEN = 24
LONGEST_LINE = 200


@pytest.mark.parametrize("broken", CORPUS, ids=lambda broken: broken.name)
def test_a_broken_input_is_refused_on_one_screen(
    broken: Broken, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    broken.write(tmp_path)

    code = main(list(broken.argv))

    shown = capsys.readouterr()
    told = shown.err.splitlines()
    assert (code, shown.out) == (2, "")
    assert shown.err.startswith(broken.where)
    assert not [phrase for phrase in broken.says if phrase not in shown.err]
    assert len(told) <= LINES_ON_A_SCREEN
    assert not [line for line in told if len(line) > LONGEST_LINE]
    assert "Traceback" not in shown.err


def test_the_corpus_is_large_and_no_name_stands_twice() -> None:
    names = [broken.name for broken in CORPUS]

    assert len(names) == len(set(names))
    assert len(names) >= 300


def test_every_message_names_a_place_or_an_option() -> None:
    vague = [broken.name for broken in CORPUS if broken.where == "error: " and not broken.says]

    assert not vague
