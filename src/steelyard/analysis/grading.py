"""Give letter grades: to the mean score over cases, and to the median run.

A letter is for one number that stands in the report; without that number there is none.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from steelyard.analysis.subjects import SubjectCases
from steelyard.metrics.grades import GRADE_SCALES, GradeScale, letter_grade
from steelyard.metrics.letters import letter_probabilities, mean_letter_probabilities
from steelyard.metrics.shares import Shares
from steelyard.metrics.ties import HALF_A_STEP, are_whole, rounding_of_mean, snapped
from steelyard.model.estimate import Estimate
from steelyard.model.summary import Grade, GradeBasis

FEWEST_CASES = 5  # with fewer, resampling the cases would make any letter look certain
MOST_UNLIKE = 3  # of n cases that agree, 3 in n of all others may not (95 %): the rule of three


def grade_of_cases(subject: SubjectCases, score: Estimate, scores: Callable[[], Shares]) -> Grade:
    """Grade the mean score over cases; the odds are those on other cases like these."""
    scale = GRADE_SCALES[subject.options.grade_scale]
    if score.value is None:
        return Grade(letter=None, scale=scale.name, probabilities={}, of=GradeBasis.CASE_MEAN)
    shares = scores()
    rounding = rounding_of_mean(
        are_whole(score_sum=state.score_sum, score_sq=state.score_sq) for state in subject.counted
    )
    odds: dict[str, float] = {}
    if len(shares) >= FEWEST_CASES and not _hides_others(shares, scale):
        names = subject.unit_names(subject.counted)
        odds = mean_letter_probabilities(shares.values, names, scale=scale, rounding=float(rounding))
    mean = shares.mean() or Fraction(0)
    letter = _letter(mean, scale, rounding)
    return Grade(letter=letter, scale=scale.name, probabilities=odds, of=GradeBasis.CASE_MEAN)


def _hides_others(shares: Shares, scale: GradeScale) -> bool:
    """Whether all cases have one score, and others of which none was seen could change the letter."""
    lowest, highest = float(shares.values.min()), float(shares.values.max())
    unlike = MOST_UNLIKE / len(shares)
    reach = (max(lowest - unlike, 0.0), highest, min(highest + unlike, 1.0))
    return lowest == highest and len({letter_grade(Fraction(score), scale) for score in reach}) > 1


def grade_of_runs(scores: Sequence[Fraction], runs: int, subject: SubjectCases) -> Grade:
    """Grade the median of the scores of so many runs; where a run only passes or fails, their mean.

    A median of zeros and ones is 0 or 1, and would give an A to what passes 7 times in 13.
    """
    scale = GRADE_SCALES[subject.options.grade_scale]
    if not scores or len(scores) < runs:
        return Grade(letter=None, scale=scale.name, probabilities={}, of=GradeBasis.MEDIAN_RUN)
    if set(scores) <= {0, 1}:
        letter = letter_grade(sum(scores, Fraction(0)) / runs, scale)
        return Grade(letter=letter, scale=scale.name, probabilities={}, of=GradeBasis.MEAN_RUN)
    ordered = sorted(scores)
    median = (ordered[(runs - 1) // 2] + ordered[runs // 2]) / 2
    return Grade(
        letter=_letter(median, scale, HALF_A_STEP),
        scale=scale.name,
        probabilities=letter_probabilities(scores, scale=scale),
        of=GradeBasis.MEDIAN_RUN,
    )


def _letter(score: Fraction, scale: GradeScale, rounding: Fraction) -> str:
    return letter_grade(snapped(score, (cut for _, cut in scale.cuts), rounding=rounding), scale)
