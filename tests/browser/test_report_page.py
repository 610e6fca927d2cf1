"""Open reports in a real browser: nothing is fetched, nothing breaks, and everybody can read them."""

import os
from pathlib import Path

import pytest

from steelyard.app.views import html_renderer
from steelyard.model.sample import CaseTexts, SampleExcerpt
from steelyard.model.state import CaseKey
from tests.browser.chromium import Page
from tests.conformance.test_renderers import hostile_report

NAMES = ["small", "tiered", "usual", "large", "singles"]
LOOKS = {
    "desktop": (1280, False),
    "desktop, dark": (1280, True),
    "phone": (390, False),
    "phone, dark": (390, True),
}
OPEN_ALL = """
document.querySelectorAll('details').forEach((one) => { one.open = true; });
document.querySelector('#matrix tbody button')?.click();
"""
AXE = """
axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations.map((one) =>
  one.impact + ' ' + one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html + node.failureSummary)))
"""
INJECTION = (
    '<script>window.owned = 1</script><img src="http://x.y/z" onerror="window.owned = 1">"\'</script><!--'
)


@pytest.mark.parametrize("name", [*NAMES, "comparison", "gate"])
def test_a_page_opens_without_a_word_on_the_console_and_without_a_request(
    name: str, page: Page, pages: dict[str, Path]
) -> None:
    page.open(pages[name])
    page.run(OPEN_ALL)
    page.wait("document.querySelectorAll('#matrix, .detail').length !== 1")

    assert page.console == []
    assert page.requests == [pages[name].as_uri()]


@pytest.mark.parametrize("name", ["tiered", "usual", "comparison", "gate"])
@pytest.mark.parametrize("look", ["desktop", "phone, dark"])
def test_everybody_can_read_the_page(
    name: str, look: str, page: Page, pages: dict[str, Path], axe: str
) -> None:
    width, dark = LOOKS[look]
    page.look(width=width, dark=dark)
    page.open(pages[name])
    page.run(OPEN_ALL)
    page.run(f"{axe}; true")

    assert page.run(AXE) == []


@pytest.mark.parametrize("name", ["tiered", "usual", "singles", "comparison", "gate"])
@pytest.mark.parametrize("width", [1280, 320])
def test_a_page_is_never_wider_than_the_screen(
    name: str, width: int, page: Page, pages: dict[str, Path]
) -> None:
    page.look(width=width, dark=False)
    page.open(pages[name])

    assert page.run("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["large", "singles"])
def test_the_page_of_a_hundred_thousand_samples_is_smaller_than_ten_megabytes(
    name: str, page: Page, pages: dict[str, Path]
) -> None:
    page.open(pages[name])

    assert pages[name].stat().st_size < 10_000_000


def test_the_table_sorts_by_a_model_and_back(page: Page, pages: dict[str, Path]) -> None:
    page.open(pages["usual"])
    rows = "Array.from(document.querySelectorAll('#matrix tbody tr'))"
    rates = f"{rows}.map((row) => Number(row.children[2].textContent.split('/')[0]))"

    page.run("document.querySelectorAll('#matrix thead button')[2].click()")
    up = page.run(rates)
    page.run("document.querySelectorAll('#matrix thead button')[2].click()")
    down = page.run(rates)

    assert up == sorted(up)
    assert down == sorted(down, reverse=True)
    assert up[0] < down[0]
    assert page.run("document.querySelectorAll('#matrix thead th')[2].ariaSort") == "descending"


def test_searching_finds_the_cases_of_that_name_and_says_how_many(page: Page, pages: dict[str, Path]) -> None:
    page.open(pages["small"])
    page.run("document.getElementById('query').value = 'LRU'")
    page.run("document.getElementById('query').dispatchEvent(new Event('input'))")

    names = page.run(
        "Array.from(document.querySelectorAll('#matrix tbody th')).map((one) => one.textContent)"
    )
    assert len(names) == 2
    assert all("lru_cache" in name for name in names)
    assert page.run("document.getElementById('status').textContent") == "2 of 15 cases"


def test_a_case_opens_by_the_keyboard_to_its_answer_and_what_the_check_said(
    page: Page, pages: dict[str, Path]
) -> None:
    page.open(pages["small"])
    page.run("document.getElementById('state').value = 'flaky'")
    page.run("document.getElementById('state').dispatchEvent(new Event('change'))")
    page.run("document.querySelector('#matrix tbody button').focus()")
    for kind in ("keyDown", "keyUp"):
        page.send(
            "Input.dispatchKeyEvent",
            type=kind,
            key="Enter",
            code="Enter",
            windowsVirtualKeyCode=13,
            text="\r",
        )
    page.wait("document.querySelectorAll('.detail .sample[open] pre').length >= 2")

    assert page.run("document.querySelector('#matrix tbody button').ariaExpanded") == "true"
    told = page.run("document.querySelector('.detail').textContent")
    assert "Check output" in told
    assert "def " in told
    assert page.run("document.querySelectorAll('.detail .t-word').length") > 0


def test_the_table_is_sorted_by_what_its_arrow_says(page: Page, pages: dict[str, Path]) -> None:
    page.open(pages["usual"])
    names = "Array.from(document.querySelectorAll('#matrix tbody th')).map((one) => one.textContent)"

    up = page.run(names)
    page.run("document.querySelector('#matrix thead button').click()")
    down = page.run(names)

    assert up == sorted(up)
    assert down == sorted(down, reverse=True)
    assert page.run("document.querySelector('#matrix thead th').ariaSort") == "descending"


def test_a_cell_opens_the_attempts_of_its_subject_and_the_address_is_a_link_to_them(
    page: Page, pages: dict[str, Path]
) -> None:
    page.open(pages["small"])
    page.run("document.querySelectorAll('#matrix tbody tr')[2].children[2].firstChild.click()")
    page.wait("document.querySelectorAll('.group[open] .sample[open]').length === 1")

    model = page.run("document.querySelectorAll('#matrix thead th')[2].textContent")
    told = page.run("document.querySelector('.group[open] summary').textContent")
    assert page.run("document.querySelectorAll('.group[open]').length") == 1
    assert model.split()[1] in told
    assert page.run("decodeURIComponent(location.hash)").endswith(f"&model={model.split()[1]}&tier=T0")


@pytest.mark.parametrize("sample", [False, True])
def test_a_link_opens_its_case_whatever_page_of_the_table_it_is_on(
    page: Page, pages: dict[str, Path], *, sample: bool
) -> None:
    case = "repair/word_count_00159"
    words = f"#case={case.replace('/', '%2F')}&suite=repair"
    words += "&model=mistral%2Fdevstral-3&tier=T0&sample=4" if sample else ""
    page.send("Page.navigate", url=pages["usual"].as_uri() + words)
    page.wait("document.querySelectorAll('.detail .group').length === 8")

    opened = "document.querySelector('.detail').previousSibling.querySelector('th').textContent"
    assert page.run(opened) == case
    if sample:
        page.wait("document.querySelectorAll('.sample[open]').length >= 1")
        assert "mistral/devstral-3" in page.run("document.querySelector('.group[open]').textContent")
        shown = page.run("document.querySelector('.group[open] .sample[open] > summary').textContent")
        assert "sample 4" in shown


def test_a_link_to_a_case_that_is_not_there_says_so(page: Page, pages: dict[str, Path]) -> None:
    page.open(pages["small"])
    page.run("location.hash = '#case=nothing'")

    page.wait("document.getElementById('status').textContent === 'This report has no case nothing.'")


def test_who_has_which_number_stays_in_sight(page: Page, pages: dict[str, Path]) -> None:
    page.look(width=1440, dark=False)
    page.open(pages["usual"])
    page.run("document.querySelectorAll('#matrix tbody tr')[20].scrollIntoView()")

    top, bottom = page.run(
        "(({top, bottom}) => [top, bottom])(document.getElementById('legend').getBoundingClientRect())"
    )
    assert 0 <= top < bottom < 250
    assert "mistral/devstral-3" in page.run("document.getElementById('legend').textContent")


def page_with_answer(text: str, classification: str, folder: Path) -> Path:
    """Write a report with one sample, and return its path."""
    report = hostile_report("case")
    case = report.cases[0]
    sample = SampleExcerpt(
        key=CaseKey(case.model, case.tier, case.suite, case.case),
        attempt=0,
        classification=classification,
        passed=classification == "pass",
        text=text,
    )
    path = folder / "answer.html"
    path.write_text(html_renderer().render(report, samples=[sample]), encoding="utf-8")
    return path


def test_a_refusal_is_prose_and_no_code(page: Page, tmp_path: Path) -> None:
    text = "I cannot help with this class of request, for the rules say so."
    page.open(page_with_answer(text, "refusal", tmp_path))
    page.run("document.querySelector('#matrix tbody button').click()")
    page.wait("document.querySelectorAll('.sample[open] .prose').length === 1")

    assert page.run("document.querySelectorAll('.sample pre').length") == 0


@pytest.mark.parametrize(
    ("text", "comments", "strings"),
    [
        (
            'def f(a):\n    """Halve; it\'s easy."""\n    return a // 2  # down',
            ["# down"],
            ['"""Halve; it\'s easy."""'],
        ),
        ("int f(int a) { return a / 2; } // down", ["// down"], []),
    ],
)
def test_a_comment_is_what_the_language_of_the_answer_calls_one(
    text: str, comments: list[str], strings: list[str], page: Page, tmp_path: Path
) -> None:
    page.open(page_with_answer(text, "fail", tmp_path))
    page.run("document.querySelector('#matrix tbody button').click()")
    page.wait("document.querySelectorAll('.sample[open] code').length === 1")

    for kind, expected in (("comment", comments), ("string", strings)):
        found = f"[...document.querySelectorAll('.sample .t-{kind}')].map((one) => one.textContent)"
        assert page.run(found) == expected


def test_whether_a_change_could_be_noise_stands_on_one_line(page: Page, pages: dict[str, Path]) -> None:
    page.look(width=1440, dark=False)
    page.open(pages["comparison"])
    cells = "document.querySelectorAll('#regressions .rows > tbody > tr:not(.below) > td:last-child')"
    measure = (
        "(cell) => { const text = document.createRange(); text.selectNodeContents(cell);"
        " return text.getBoundingClientRect().height; }"
    )

    assert max(page.run(f"Array.from({cells}).map({measure})")) < 30


def test_a_link_to_a_case_opens_both_answers_side_by_side(page: Page, pages: dict[str, Path]) -> None:
    page.look(width=1440, dark=False)
    page.open(pages["comparison"])
    link = page.run("document.querySelectorAll('details.both')[12].dataset.link")
    page.run(f"location.hash = '#{link}'")
    page.wait("document.querySelectorAll('details.both[open] .diff').length === 1")

    heads = "document.querySelectorAll('details.both[open] .diff th')"
    left, right = page.run(f"Array.from({heads}).map((one) => one.getBoundingClientRect().width)")
    assert left == pytest.approx(right, abs=2)
    assert page.run("document.querySelector('details.both[open]').getBoundingClientRect().top") < 900


def test_without_scripts_the_answer_and_the_pictures_are_there(page: Page, pages: dict[str, Path]) -> None:
    page.send("Emulation.setScriptExecutionDisabled", value=True)
    page.send("Page.navigate", url=pages["usual"].as_uri())
    page.wait("document.querySelector('footer') !== null")

    assert " passes " in page.run("document.querySelector('h1').textContent")
    assert page.run("document.querySelectorAll('.rows tbody tr').length") > 20
    assert page.run("document.querySelectorAll('svg.area').length") == 2
    assert "needs JavaScript" in page.run("document.querySelector('noscript').textContent")


def test_the_switch_turns_light_into_dark(page: Page, pages: dict[str, Path]) -> None:
    page.look(width=1280, dark=False)
    page.open(pages["small"])
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.run(ground)
    page.run("document.getElementById('theme').click()")

    assert before == "rgb(255, 255, 255)"
    assert page.run(ground) != before


@pytest.mark.parametrize("name", ["small", "usual", "large", "comparison"])
@pytest.mark.parametrize("look", LOOKS)
def test_a_picture_of_the_page_can_be_looked_at(
    name: str, look: str, page: Page, pages: dict[str, Path], tmp_path: Path
) -> None:
    width, dark = LOOKS[look]
    folder = Path(os.environ.get("STEELYARD_PICTURES", tmp_path))  # where to, for whoever wants to look
    folder.mkdir(parents=True, exist_ok=True)
    page.look(width=width, dark=dark)
    page.open(pages[name])

    picture = page.picture(folder / f"{name} {look}.png")

    assert picture.stat().st_size > 20_000


def test_the_page_prints(page: Page, pages: dict[str, Path]) -> None:
    page.open(pages["small"])

    assert page.pdf().startswith(b"%PDF-")


def test_nothing_in_names_answers_or_output_becomes_markup_or_runs(page: Page, tmp_path: Path) -> None:
    report = hostile_report(INJECTION)
    case = report.cases[0]
    sample = SampleExcerpt(
        key=CaseKey(case.model, case.tier, case.suite, case.case),
        attempt=0,
        classification=INJECTION,
        passed=False,
        text=f"```html\n{INJECTION}\n```\n{INJECTION}",
        detail=INJECTION,
        about=CaseTexts(prompt=INJECTION, expected=INJECTION, tests=INJECTION, reference=INJECTION),
    )
    path = tmp_path / "hostile.html"
    path.write_text(html_renderer().render(report, samples=[sample]), encoding="utf-8")
    page.open(path)
    page.run("document.querySelector('#matrix tbody button').click()")
    page.wait("document.querySelectorAll('.sample pre').length >= 6")
    page.run("document.querySelectorAll('.beside').forEach((one) => { one.open = true; })")
    folded = page.run("Array.from(document.querySelectorAll('.beside summary'), (one) => one.textContent)")

    assert folded == ["Prompt", "Tests", "Reference"]
    assert page.run("typeof window.owned") == "undefined"
    assert page.run("document.querySelectorAll('img, iframe, object, form, link').length") == 0
    assert page.run("Array.from(document.scripts).filter((one) => one.type !== 'text/plain').length") == 1
    assert page.requests == [path.as_uri()]
    assert page.console == []
    assert INJECTION in page.run("document.querySelector('.sample pre').textContent")


def test_the_policy_of_the_page_stops_a_script_that_got_in_all_the_same(
    page: Page, pages: dict[str, Path], tmp_path: Path
) -> None:
    text = pages["small"].read_text(encoding="utf-8")
    path = tmp_path / "tampered.html"
    path.write_text(text.replace("</main>", "<script>window.owned = 1</script></main>"), encoding="utf-8")
    page.open(path)

    assert page.run("typeof window.owned") == "undefined"
    assert any("Content Security Policy" in line for line in page.console)
