from dataclasses import replace

from steelyard.model.report import Report, Standing, SubjectSummary
from steelyard.render.document.blocks import Section
from steelyard.render.document.ranking import front_note, on_the_front, rank_column, rank_note, top_set
from steelyard.render.numbers import UNDEFINED
from tests.analysis.reports import report, standing, subject
from tests.render.document.reading import columns, sentence


def placed(name: str, where: Standing | None) -> SubjectSummary:
    return replace(subject(name), standing=where)


def ranks(whole: Report) -> dict[str, list[str]]:
    return columns(Section(columns=rank_column(whole)))


CLOSE = report(
    placed("a", standing(2, 1, 3, top=True)),
    placed("b", standing(1, 1, 2, top=True)),
    placed("c", standing(3)),
    placed("d", None),
)
CLEAR = report(placed("a", standing(1, top=True)), placed("b", standing(2)))


def test_a_rank_has_its_range_unless_that_is_a_single_rank() -> None:
    assert ranks(CLOSE) == {"rank": ["2 (1–3)", "1 (1–2)", "3", UNDEFINED]}  # noqa: RUF001  # as shown


def test_a_lone_subject_has_no_rank() -> None:
    assert ranks(report(subject("a"))) == {}
    assert rank_note(report(subject("a"))) == ()


def test_whoever_may_be_the_best_is_named_the_best_first() -> None:
    [note] = rank_note(CLOSE)

    assert sentence(note) == (
        "rank: by pass rate, in brackets the ranks plausible for new cases of the same kind;"
        " not significantly worse than the best: b and a"
    )
    assert [one.model for one in top_set(CLOSE.subjects)] == ["b", "a"]


def test_a_clear_winner_is_named() -> None:
    [note] = rank_note(CLEAR)

    assert sentence(note) == "rank: by pass rate; on these cases all others are significantly worse than a"


def test_ranks_say_that_right_refusals_count_as_passes() -> None:
    [note] = rank_note(replace(CLEAR, expects_refusal=(("s", "bomb"),)))

    assert sentence(note).startswith("rank: by pass rate, expected refusals count as passes; on these cases")


def test_the_front_is_a_chance_and_who_is_not_on_it_is_named() -> None:
    whole = report(
        placed("a", standing(1, front=1.0)),
        placed("b", standing(2, front=0.28)),
        placed("c", standing(3, front=0.002)),
        placed("d", standing(4)),
    )

    [note] = front_note(whole)

    assert list(on_the_front().column(whole.subjects).cells) == ["100 %", "28 %", "<1 %", UNDEFINED]
    assert list(on_the_front().dashes(whole.subjects, lambda _: ())) == []
    assert sentence(note) == (
        "on the front: probability that no other model is both cheaper and better; almost surely dominated: c"
    )


def test_without_costs_there_is_no_front() -> None:
    assert front_note(CLEAR) == ()
    assert not on_the_front().is_measured(CLEAR.subjects)


def test_with_nobody_beaten_the_front_is_explained_all_the_same() -> None:
    [note] = front_note(report(placed("a", standing(1, front=0.7)), placed("b", standing(2, front=0.6))))

    assert sentence(note) == "on the front: probability that no other model is both cheaper and better"
