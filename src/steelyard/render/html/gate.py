"""Show a gate's verdict as a page for a browser: the verdict, why, and how large a drop may hide."""

from steelyard.model.gate import GateReport, SubjectGate
from steelyard.model.interval import Interval, Target
from steelyard.render.charts.forest import Effect, forest
from steelyard.render.charts.markup import Markup, tag
from steelyard.render.document.gate import gate_page
from steelyard.render.document.pair_labels import Sides
from steelyard.render.html.blocks import pieces, sections
from steelyard.render.html.document import document, navigation, parts_of
from steelyard.render.numbers import level, size_in_points


class HtmlGate:
    """A verdict as a page."""

    def render(self, gate: GateReport) -> str:
        """Return the whole text, ending in a newline."""
        verdict, *rest = gate_page(gate).sections
        parts = parts_of(
            ("why", "Why", (sections(rest[:-1]),)),
            ("drop", "How large a drop may hide", (_drops(gate),)),
        )
        first = verdict.lines[0]
        return document(
            "Steelyard gate",
            navigation(parts),
            tag(
                "header",
                tag("p", "Steelyard gate", class_="over"),
                tag("h1", pieces(first.pieces), class_=f"verdict tone-{first.tone}"),
            ),
            tag("main", (part.markup for part in parts), id="content"),
            tag("footer", sections(rest[-1:])),
        )


def _drops(gate: GateReport) -> Markup | None:
    sides = Sides.of(subject.pair for subject in gate.subjects)
    effects = [effect for subject in gate.subjects if (effect := _effect(subject, sides, gate))]
    if not effects:
        return None
    margin, sure = size_in_points(gate.rule.margin), level(1 - gate.rule.alpha)
    caption = (
        f"Change of the pass rate, in points. The bar reaches down to the largest plausible drop ({sure}); "
        f"the gate passes where it stays above a drop of {margin}."
    )
    return forest(caption, effects, name=sides.noun)


def _effect(subject: SubjectGate, sides: Sides, gate: GateReport) -> Effect | None:
    drop, largest = subject.decision.evidence.drop, subject.decision.evidence.largest_plausible_drop
    if drop is None:
        return None
    name = pieces(sides.pair(subject.pair))
    if largest is None:
        return Effect(name=name, value=-drop)
    reach = Interval(
        low=-max(largest, drop), high=-drop, level=1 - gate.rule.alpha, target=Target.RERUN, method=""
    )
    return Effect(name=name, value=-drop, interval=reach)
