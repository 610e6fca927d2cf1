"""Lay out the cases that changed, each with both answers side by side."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from steelyard.model.comparison import Comparison, ScoreChange
from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseKey, SubjectKey
from steelyard.render.charts.flips import Below, improvements, regressions
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import PageLinks, case_fragment
from steelyard.render.html.code import block
from steelyard.render.html.differences import difference
from steelyard.render.html.parts import FLIPPED_PARTS, PagePart
from steelyard.render.words import KIND_OF_FAILURE

WITH_ANSWERS = 40  # cases of each kind whose answers are included
HOW_TO_LINK = "The address bar has a link to the open case."

Pair = tuple[SampleExcerpt, SampleExcerpt]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPairs:
    """The samples of both reports, by the case of the current one."""

    before: dict[CaseKey, list[SampleExcerpt]]
    now: dict[CaseKey, list[SampleExcerpt]]

    @classmethod
    def of(cls, comparison: Comparison, samples: Sequence[SampleExcerpt]) -> "AnswerPairs":
        """Group samples by case; those of the baseline under the subject that they are compared with."""
        partners = {
            SubjectKey(pair.baseline_model, pair.baseline_tier): SubjectKey(
                pair.current_model, pair.current_tier
            )
            for pair in (subject.pair for subject in comparison.subjects)
        }
        before: defaultdict[CaseKey, list[SampleExcerpt]] = defaultdict(list)
        now: defaultdict[CaseKey, list[SampleExcerpt]] = defaultdict(list)
        for sample in samples:
            if not sample.of_baseline:
                now[sample.key].append(sample)
            elif partner := partners.get(SubjectKey(*sample.key[:2])):
                before[CaseKey(*partner, *sample.key[2:])].append(sample)
        return cls(before=before, now=now)

    def pair(self, change: ScoreChange) -> Pair | None:
        """Return an answer of each report, one passed and one failed if possible."""
        key = CaseKey(change.model, change.tier, change.suite, change.case)
        before, now = self.before.get(key, []), self.now.get(key, [])
        if not (before and now):
            return None
        fell = change.delta < 0
        return _first(before, passed=fell), _first(now, passed=not fell)


def flipped_parts(
    comparison: Comparison, samples: Sequence[SampleExcerpt], links: PageLinks
) -> list[PagePart]:
    """Return the parts of regressions and improvements."""
    answers = AnswerPairs.of(comparison, samples)
    figures = (
        regressions(comparison, _below(answers, links, comparison.regressions)),
        improvements(comparison, _below(answers, links, comparison.improvements)),
    )
    shown = [(plan, figure) for plan, figure in zip(FLIPPED_PARTS, figures, strict=True) if figure]
    note = tag("p", HOW_TO_LINK, class_="quiet") if samples else None
    return [
        PagePart(id=plan.id, title=plan.title, content=joined(None if index else note, figure))
        for index, (plan, figure) in enumerate(shown)
    ]


def _below(answers: AnswerPairs, links: PageLinks, changes: Sequence[ScoreChange]) -> Below:
    """Return the content below a case: a link to the report, and the answers of the first cases."""
    opened = {case_fragment(change) for change in changes[:WITH_ANSWERS]}

    def below(change: ScoreChange) -> Content:
        fragment = case_fragment(change)
        pair = answers.pair(change) if fragment in opened else None
        link = tag("a", "in the report", href=f"{links.report}#{fragment}") if links.report else None
        return [part for part in (link, _both(pair, fragment) if pair else None) if part]

    return below


def _both(pair: Pair, fragment: str) -> Markup:
    return tag(
        "details",
        tag("summary", "both answers"),
        *_side_by_side(pair),
        class_="both",
        data_link=fragment,
    )


def _side_by_side(pair: Pair) -> Iterator[Markup]:
    before, now = pair
    if before.text is None or now.text is None:
        yield tag("p", "The answers were not stored.", class_="quiet")
    else:
        names = (f"before: {_outcome(before)}", f"now: {_outcome(now)}")
        is_cut = before.is_text_cut or now.is_text_cut
        yield difference(before.text, now.text, names=names, is_cut=is_cut)
        if is_cut:
            left, right = _extent(before.text, before.text_length), _extent(now.text, now.text_length)
            yield tag("p", f"Compared: {left} before, and {right} now.", class_="quiet")
    for when, sample in (("before", before), ("now", now)):
        if sample.detail:
            text = f"Check output {when}"
            yield joined(tag("p", text, class_="quiet"), block(sample.detail, label=text))
        if sample.is_detail_cut:
            yield tag("p", _extent(sample.detail, sample.detail_length), class_="quiet")


def _extent(text: str, length: int) -> str:
    """Return how much of a text is included."""
    return f"the first {len(text):,} of {length:,} characters" if length > len(text) else "the whole answer"


def _outcome(sample: SampleExcerpt) -> str:
    how = "passed" if sample.passed else KIND_OF_FAILURE.get(sample.classification, sample.classification)
    return f"sample {sample.attempt + 1}, {how}"


def _first(samples: Sequence[SampleExcerpt], *, passed: bool) -> SampleExcerpt:
    return next((sample for sample in samples if bool(sample.passed) is passed), samples[0])
