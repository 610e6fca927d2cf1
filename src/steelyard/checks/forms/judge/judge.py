"""Have judges rate an answer by a rubric: several judges, several readings, one judgement.

A judge is called through a function that the caller supplies; who waits, pays and repeats failed calls
is not known here. Only what a judge says out of form is asked for again, a stated number of times.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from steelyard.checks.forms.judge.fence import LONGEST, Fence, fresh_fence, random_token
from steelyard.checks.forms.judge.prompt import TASK_ROOM, labels, system_prompt, task_text, user_prompt
from steelyard.checks.forms.judge.reply import UnusableReply, read_reply
from steelyard.errors import NOT_RECORDED, ProviderError, UserError
from steelyard.metrics.consensus import (
    Disagreement,
    category_scores,
    consensus_ratings,
    disagreements,
    rubric_score,
)
from steelyard.model.case import Case
from steelyard.model.judgement import CategoryRating, Judgement, Ratings, Reading, missing_judges
from steelyard.model.request import Parameters, Reply, Request
from steelyard.model.rubric import Rubric
from steelyard.model.sample import JUDGE_TIER, TERMS_MARK, SampleKey, text_digest

CallModel = Callable[[Request], Reply]

TOTAL_TOLERANCE = Fraction(1, 200)  # a judge may round its total to two digits
PANEL_RULE = "whole panel"  # how several judges come to a verdict, as part of the digest
EMPTY = "the answer is empty, so no judge was asked"
NOTHING_APPLIES = "nothing in the rubric applies to this answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Who judges, and how they are asked."""

    judges: tuple[str, ...]
    parameters: Parameters = field(default_factory=Parameters)
    longest_answer: int = LONGEST

    def __post_init__(self) -> None:
        """Reject an empty panel, and one that lists a judge twice."""
        if not self.judges:
            raise UserError("a rubric needs a judge: name a model, such as anthropic/claude-opus-4-5")
        if len(set(self.judges)) != len(self.judges):
            raise UserError("a judge is named twice; to hear it more often, raise the number of readings")


class Judge:
    """Judges answers by one rubric; safe to call from many threads if `ask` is."""

    def __init__(
        self, rubric: Rubric, panel: Panel, call_model: CallModel, *, token: Callable[[], str] = random_token
    ) -> None:
        """Judge by asking; `token` is what the fence is made of, and is random unless a test says so."""
        self.rubric = rubric
        self.panel = panel
        self._call_model = call_model
        self._token = token
        self._rules = system_prompt(rubric)
        self._rubric_digest = rubric.digest
        terms = [self._rules, panel.parameters.as_text(), panel.longest_answer]
        self._terms = text_digest(json.dumps(terms, sort_keys=True))

    @property
    def digest(self) -> str:
        """A name for who judges how: equal names mean that an equal answer would be judged alike."""
        form = [self._rules, self._rubric_digest, asdict(self.panel)]
        if len(self.panel.judges) > 1:
            form.append(PANEL_RULE)
        return text_digest(json.dumps(form, sort_keys=True))

    def judge(self, case: Case, answer: str) -> Judgement:
        """Return what the judges make of an answer; raises what `ask` raises."""
        if not answer.strip():
            return self.nothing((), note=EMPTY)
        hearing = _Hearing(self, case, answer)
        readings = hearing.readings()
        usable = [reading for reading in readings if reading.is_usable]
        ratings = consensus_ratings(
            [reading.ratings for reading in usable],
            [reading.confidence or Fraction(0) for reading in usable],
        )
        return self._judgement(
            readings, ratings=ratings, note=_note(readings), characters_cut=hearing.characters_cut
        )

    def nothing(self, readings: Sequence[Reading], *, note: str) -> Judgement:
        """Return the lowest rating, which no reading gave."""
        lowest = self._judgement(readings, ratings=(Fraction(0),) * len(self.rubric.items), note=note)
        return replace(lowest, is_passed=self.rubric.pass_threshold <= 0)

    def _judgement(
        self, readings: Sequence[Reading], *, ratings: Ratings, note: str, characters_cut: int = 0
    ) -> Judgement:
        bare = Judgement(
            rubric=self.rubric.id,
            rubric_digest=self._rubric_digest,
            readings=tuple(readings),
            disagreements=tuple(map(str, [*self.disagreements(readings), *_missing(readings)])),
            characters_cut=characters_cut,
            note=note,
        )
        if not ratings:
            return bare
        is_whole = not bare.missing_judges  # a part of the panel rates, and decides nothing
        score = rubric_score(ratings, self.rubric)
        scores = zip(self.rubric.categories, category_scores(ratings, self.rubric), strict=True)
        return replace(
            bare,
            score=score,
            note=note or (NOTHING_APPLIES if score is None else ""),
            is_passed=score >= self.rubric.pass_threshold if is_whole and score is not None else None,
            categories=tuple(
                CategoryRating(id=item.id, weight=item.weight, score=given) for item, given in scores
            ),
            ratings=ratings,
        )

    def disagreements(self, readings: Sequence[Reading]) -> tuple[str, ...]:
        """Return in what the usable ones among some readings disagree."""
        usable = [reading for reading in readings if reading.is_usable]
        scores = [reading.score for reading in usable]
        confidences = [reading.confidence or Fraction(0) for reading in usable]
        return disagreements(scores, confidences, self.rubric.consensus)

    def read(self, key: SampleKey, case: Case, answer: str) -> "_Heard":
        """Ask one judge once; return what it said, and how much of the answer it was not shown."""
        task = task_text(case)
        fence = fresh_fence(task, answer, token=self._token)
        shown = fence.around("ANSWER", answer, longest=self.panel.longest_answer)
        request = Request(
            key=key,
            prompt=user_prompt(self.rubric, fence.around("TASK", task, longest=TASK_ROOM), shown, fence),
            system_prompt=self._rules,
            parameters=self.panel.parameters,
            fence=fence.token,
        )
        reply = self._call_model(request)
        if reply.fence:  # a reply that was kept is in the form that was asked for then
            fence = Fence(reply.fence)
        items = dict(zip(labels(self.rubric, fence), self.rubric.items, strict=True))
        try:
            judge_reply = read_reply(reply.text, items=items, seal=fence.seal)
        except UnusableReply as error:
            unusable = _reading(key, reply, problem=str(error))
            return _Heard(unusable, shown.characters_cut, is_kept=reply.is_kept)
        score = rubric_score(judge_reply.ratings, self.rubric)
        reading = _reading(
            key,
            reply,
            ratings=judge_reply.ratings,
            reasons=judge_reply.reasons,
            confidence=judge_reply.confidence,
            score=score,
            own_total=judge_reply.own_total,
            is_total_off=_is_off(judge_reply.own_total, score),
            saw_tampering=judge_reply.saw_tampering,
        )
        return _Heard(reading, shown.characters_cut, is_kept=reply.is_kept)

    def key(self, judge: str, case: Case, answer: str, number: int) -> SampleKey:
        """Return the name of one reading: of the judge, for what it is shown, and the terms.

        The terms are the rules with the rubric's items, and the parameters. Tests, the threshold and the
        consensus are not part of it: the judge does not see them, and a reply holds whatever they are.
        """
        question = text_digest(json.dumps([task_text(case), text_digest(answer)]))
        digest = f"{question}{TERMS_MARK}{self._terms}"
        return SampleKey(judge, JUDGE_TIER, case.suite, case.id, digest, number)


class _Heard(NamedTuple):
    """One reading, how much of the answer the judge was not shown, and whether the reply came earlier."""

    reading: Reading
    characters_cut: int
    is_kept: bool


class _Hearing:
    """The readings of one answer, one after another."""

    def __init__(self, judge: Judge, case: Case, answer: str) -> None:
        self._judge = judge
        self._case = case
        self._answer = answer
        self._asked = dict.fromkeys(judge.panel.judges, 0)
        self._extra_rounds = judge.rubric.consensus.extra_readings // len(judge.panel.judges)
        self._has_asked = False  # whether a reply was given now, and not before
        self.characters_cut = 0

    def readings(self) -> list[Reading]:
        """Take the readings of a round; while all of it is earlier, ask judges again that were of no use.

        What judges said in an earlier session stays on the bill, and does not keep them from being asked now.
        """
        taken = self._round(self._judge.panel.judges, [])
        while not self._has_asked and (missing := missing_judges(taken)):
            try:
                taken = self._round(missing, taken)
            except ProviderError as error:
                if error.kind == NOT_RECORDED and sum(self._asked.values()) == len(taken) + 1:
                    break  # a record that ends with a round holds all that the judges said
                raise
        return taken

    def _round(self, judges: Sequence[str], before: Sequence[Reading]) -> list[Reading]:
        """Take the planned readings of some judges, and more of all of them while they disagree.

        More are taken by the whole panel or not at all: else those named first would have more to say.
        """
        taken = [*before]
        for _ in range(self._judge.rubric.consensus.readings):
            taken += self._once(judges)
        while self._extra_rounds and self._judge.disagreements(taken):
            self._extra_rounds -= 1
            try:
                taken += self._once(self._judge.panel.judges)
            except ProviderError as error:
                if error.kind != NOT_RECORDED or self._has_asked:
                    raise
                break  # a record of a version that took extra readings of some judges only
        return taken

    def _once(self, judges: Sequence[str]) -> list[Reading]:
        """Take a reading of each of some judges."""
        return [reading for judge in judges for reading in self._reading(judge)]

    def _reading(self, judge: str) -> Iterator[Reading]:
        """Ask a judge until its reply can be used, or it has had its tries; give every reply."""
        for _ in range(self._judge.rubric.consensus.tries):
            key = self._judge.key(judge, self._case, self._answer, self._asked[judge])
            self._asked[judge] += 1
            reading, self.characters_cut, is_kept = self._judge.read(key, self._case, self._answer)
            self._has_asked = self._has_asked or not is_kept
            yield reading
            if reading.is_usable:
                return


def _missing(readings: Sequence[Reading]) -> Iterator[Disagreement]:
    """Give the disagreement with a part of the panel; where no judge is of use, there is no score at all."""
    if missing_judges(readings) and any(reading.is_usable for reading in readings):
        yield Disagreement.MISSING_JUDGE


def _note(readings: Sequence[Reading]) -> str:
    """Return why there is no score, or no verdict."""
    if not any(reading.is_usable for reading in readings):
        return "no reading can be used"
    missing = missing_judges(readings)
    return f"no reading of {', '.join(missing)} can be used" if missing else ""


def _reading(key: SampleKey, reply: Reply, **said: object) -> Reading:
    return Reading(
        judge=key.model,
        number=key.attempt,
        cost_nano_usd=reply.cost_nano_usd,
        tokens_in=reply.usage.tokens_in,
        tokens_out=reply.usage.tokens_out,
        **said,  # type: ignore[arg-type]  # named as the fields are
    )


def _is_off(own_total: Fraction | None, score: Fraction | None) -> bool:
    """Whether a judge's own total is another number than its ratings come to."""
    if own_total is None or score is None:
        return own_total is not score
    return abs(own_total - score) > TOTAL_TOLERANCE
