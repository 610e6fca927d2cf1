"""Nothing that a model, a file name or a link says becomes markup, leads out of the runs, or reads a file."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.web.runs import make_run
from tests.web.site import Site, site

SCRIPTS = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "</pre></code><svg onload=alert(1)>",
    "javascript:alert(1)",
    "</textarea></title><iframe srcdoc=x>",
    "&lt;script&gt;<!--<script>",
)
FIELDS = (
    *("id", "generator", "tier", "suite", "case", "prompt", "system", "file", "answer", "wrong"),
    *("reference", "tests", "tag", "detail", "finish_reason", "request_id"),
)
OURS = (
    *(
        "html",
        "head",
        "meta",
        "title",
        "link",
        "body",
        "a",
        "nav",
        "div",
        "span",
        "main",
        "h1",
        "h2",
        "h3",
        "p",
    ),
    *(
        "dl",
        "dt",
        "dd",
        "section",
        "figure",
        "figcaption",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "svg",
    ),
    *(
        "line",
        "rect",
        "circle",
        "text",
        "path",
        "form",
        "label",
        "input",
        "select",
        "option",
        "button",
        "dialog",
    ),
    *("kbd", "details", "summary", "ol", "ul", "li", "pre", "code", "bdi", "b", "i", "del", "ins", "mark"),
    *("textarea", "sup", "footer", "br", "polyline", "polygon", "g", "col", "colgroup"),
)
SCRIPT = r'script src="/assets/view\.js" defer>|/script>'
# A tag that no page of ours writes.
FOREIGN = re.compile(rf"<(?!/?(?:{'|'.join(OURS)})[\s>]|!doctype html>|{SCRIPT}).{{0,60}}", re.DOTALL)
PATHS = (
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2fetc%2fpasswd",
    "/assets/../guard.py",
    "/assets/..%2fguard.py",
    "/assets/%2e%2e%2fguard.py",
    "/assets//etc/passwd",
    "/assets/guard.py",
    "/r/..%2f..%2f/c/1",
    "/r/%2fetc%2fpasswd",
    "/r/file:%2f%2f%2fetc",
    "/r/s3:%2f%2fbucket%2frun",
    "/compare?before=/etc&after=/etc",
    "/compare?before=../x&after=../x",
    "/sides?before=/etc-1&after=/etc-1",
)
QUERIES = (
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM read_parquet('https://evil.example/x.parquet')",
    "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "FROM read_json('/etc/hostname')",
    "COPY (SELECT 1) TO '/tmp/steelyard-attack.csv'",
    "EXPORT DATABASE '/tmp/steelyard-attack'",
    "ATTACH '/tmp/steelyard-attack.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET memory_limit = '100GB'",
    "RESET memory_limit",
    "SET allowed_paths = ['/etc/passwd']",
    "PRAGMA memory_limit = '100GB'",
    "CALL pragma_version()",
    "CREATE TABLE t AS SELECT 1",
    "CREATE SECRET s (TYPE s3)",
    "DROP VIEW outcomes",
    "DELETE FROM outcomes",
    "UPDATE outcomes SET passed = true",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY (SELECT 1) TO '/tmp/steelyard-attack.csv'",
    "SELECT getenv('HOME')",
    "PREPARE x AS SELECT 1",
    "CHECKPOINT",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '/tmp/steelyard-attack.csv'",
    "\0",
    "SELECT",
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve one run for each script; all of its texts are that script."""
    folder = tmp_path_factory.mktemp("hostile")
    for number, script in enumerate(SCRIPTS):
        texts = {field: f"{script} {field}" for field in FIELDS}
        make_run(folder / f"run{number}", cases=2, samples=2, models=(f"{script} model", "m"), texts=texts)
    with site(folder) as running:
        yield running


def pages_of(running: Site, run: str) -> Iterator[str]:
    """Give every page of a run."""
    first = running.page(f"/r/{run}")
    yield first
    for key in dict.fromkeys(re.findall(rf"/r/{run}/c/(\d+)", first)):
        yield running.page(f"/r/{run}/c/{key}")
        yield running.page(f"/r/{run}/c/{key}/1?with=0&whole=1")
    for name in ("matrix", "report", "compare", "marks"):
        yield running.page(f"/r/{run}/{name}")
    yield running.page(f"/r/{run}/search?{urlencode({'words': 'answer'})}")
    yield running.page(f"/r/{run}/search?{urlencode({'words': 'detail', 'in': 'output'})}")
    for query in ("SELECT * FROM samples", "SELECT <script>"):
        yield running.page(f"/r/{run}/sql?{urlencode({'q': query})}")


@pytest.fixture(scope="module")
def hostile_pages(hostile: Site) -> str:
    """Return all pages of the first of these runs."""
    return "".join(pages_of(hostile, hostile.run_id("run0")))


@pytest.mark.parametrize("number", range(len(SCRIPTS)))
def test_a_script_in_every_text_stays_text_on_every_page(hostile: Site, number: int) -> None:
    run = hostile.run_id(f"run{number}")

    seen = "".join(pages_of(hostile, run))

    assert "alert" in seen or "iframe" in seen or "&lt;script" in seen
    assert FOREIGN.findall(seen) == []
    assert not re.search(r"<[^>]*\son\w+\s*=", re.sub(r'"[^"]*"', '""', seen))
    assert not re.search(r'(?:href|src|action)="(?!/|\?|#|")', seen)


@pytest.mark.parametrize("field", FIELDS)
def test_a_script_in_one_field_is_shown_escaped(hostile_pages: str, field: str) -> None:
    seen = hostile_pages

    assert f"<script>alert(1)</script> {field}" not in seen
    if field not in {"generator", "file"}:
        assert re.search(
            rf"&lt;script&gt;alert\(1\)&lt;/script&gt; (?:</span>)?{field}", re.sub(r"<[^>]+>", "", seen)
        )


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("place", ["name=", "suite=", "tag=", "kind=", "order=", "after=", "subject="])
def test_a_script_in_a_link_stays_text(looked_at: Site, script: str, place: str) -> None:
    found = looked_at.ask(f"/r/{looked_at.run_id('before')}?{place}{quote(script)}")

    assert found.status in {200, 404}
    assert FOREIGN.findall(found.text) == []


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_out_of_the_runs(looked_at: Site, path: str) -> None:
    found = looked_at.ask(path)

    assert found.status == 404
    assert "root:" not in found.text
    assert "import " not in found.text


@pytest.mark.parametrize("query", QUERIES)
def test_sql_reads_nothing_but_the_run(looked_at: Site, query: str) -> None:
    page = looked_at.page(f"/r/{looked_at.run_id('before')}/sql?{urlencode({'q': query})}")

    assert 'class="tone-bad"' in page
    assert "root:" not in page
    assert not Path("/tmp/steelyard-attack.csv").exists()  # noqa: S108  # where the attack writes


def test_sql_of_another_run_cannot_be_read(looked_at: Site, tmp_path: Path) -> None:
    other = make_run(tmp_path / "secret").samples.files()[0].uri
    query = urlencode({"q": f"SELECT * FROM read_parquet('{other}')"})  # noqa: S608  # the attack

    page = looked_at.page(f"/r/{looked_at.run_id('before')}/sql?{query}")

    assert "refused" in page


def test_sql_that_only_reads_the_run_works(looked_at: Site) -> None:
    query = urlencode({"q": "SELECT model, count(*) AS samples FROM outcomes GROUP BY model ORDER BY model"})

    page = looked_at.page(f"/r/{looked_at.run_id('before')}/sql?{query}")

    assert "<td>m/good</td><td>12</td>" in page


@pytest.mark.parametrize("words", ["a", "x" * 201])
def test_a_search_that_asks_for_too_much_or_nothing_is_refused(looked_at: Site, words: str) -> None:
    assert looked_at.ask(f"/r/{looked_at.run_id('before')}/search?words={words}").status == 404


@pytest.mark.parametrize("path", ["/?x=" + "y" * 30_000, "/r/" + "9" * 3_000, "/r/x/c/" + "9" * 3_000])
def test_a_huge_address_is_refused(looked_at: Site, path: str) -> None:
    assert looked_at.ask(path).status in {400, 404, 414}


@pytest.mark.parametrize("number", ["-1", "1e5", "٣", "9" * 30, "0x10", "1;2", ""])
def test_a_number_that_is_none_is_refused(looked_at: Site, number: str) -> None:
    assert looked_at.ask(f"/r/{looked_at.run_id('before')}/c/{quote(number)}/0").status == 404


def test_a_huge_form_is_refused(looked_at: Site) -> None:
    assert (
        looked_at.post(f"/r/{looked_at.run_id('before')}/c/1/0/marks", "note=" + "x" * 100_000).status == 413
    )


def test_marks_that_reorder_a_line_are_spelt_out(tmp_path: Path) -> None:
    make_run(
        tmp_path / "bidi", cases=1, texts={"answer": "x = 1 \u202e# \u2066if admin\u2069\n\x1b[31mred\x00"}
    )
    with site(tmp_path / "bidi") as running:
        first = running.page(f"/r/{running.run_id('bidi')}")
        key = re.findall(r"/c/(\d+)", first)[0]

        page = running.page(f"/r/{running.run_id('bidi')}/c/{key}/0")

        assert not set("\u202e\u2066\u2069\x1b\x00") & set(page)
        assert "\\u202e" in page
