"""CSV files whose lines, quotes, headers or columns are not as they should be."""

from tests.input.broken import HEADER, OUTCOMES, ROW, Broken, of_file

TEXT = HEADER + ROW
RAGGED = "expected 4 columns as in the header, found "
MIXED = "the line ends or quotes are mixed up; save it as plain CSV with one kind of line end"
QUOTE = "a quote is opened and not closed at the end of the cell"
NO_CASE = "no column for the case"
CASE = "--map case=COLUMN"

LINES = (
    of_file("a row too long", TEXT + "a,c,1,True,more\n", ", line 3: ", RAGGED + "5"),
    of_file("a row too short", TEXT + "a,c,1\n", ", line 3: ", RAGGED + "3"),
    of_file("a first row too short", HEADER + "a,c,0\n", ", line 2: ", RAGGED + "3"),
    of_file("a decimal comma", TEXT + "a,c,1,0,5\n", ", line 3: ", RAGGED + "5"),
    of_file("an unclosed quote", TEXT + 'a,"c,1,True\n', ", line 3: ", QUOTE),
    of_file("text after a closing quote", TEXT + 'a,"c"x,1,True\n', ", line 3: ", QUOTE),
    of_file("an unclosed quote in the header", 'model,"case,attempt\n' + ROW, ", line 1: ", "never closed"),
    of_file(
        "text after a quote in the header", 'model,"ca"se,passed\n', ", line 1: ", "the header cannot be"
    ),
    of_file("LF, then CRLF, then CR", f"{HEADER}a,c,0,True\r\na,c,1,True\ra,c,2,True\n", ": ", MIXED),
    of_file("LF, then CRLF", f"{HEADER}a,c,0,True\r\na,c,1,True\n", ": ", MIXED),
    of_file("CRLF, then LF", HEADER.replace("\n", "\r\n") + "a,c,0,True\na,c,1,True\n", ": ", MIXED),
    of_file("LF, then CR", f"{HEADER}a,c,0,True\ra,c,1,True\n", ": ", MIXED),
    of_file(
        "a line of 70 MB", lambda: f"{HEADER}a,{'x' * 70_000_000},0,True\n", ", line 2: ", "longer than 16 MB"
    ),
)

HEADERS = (
    of_file("an empty file", "", ": ", "is empty; expected a header line with column names"),
    of_file("nothing but a byte-order mark", b"\xef\xbb\xbf", ": ", "is empty; expected a header line"),
    of_file("one blank line", "\n", ", line 1: ", "is blank; expected column names"),
    of_file("blank lines", "\n\n\n", ", line 1: ", "is blank; expected column names"),
    of_file("nothing but spaces", "   \n  \n", ", line 1: ", "is blank; expected column names"),
    of_file("nothing but commas", ",,,\n,,,\n", ", line 1: ", "is blank; expected column names"),
    Broken(
        name="a header and no row",
        files={OUTCOMES: HEADER},
        where="error: ",
        says=("holds no outcomes", "not a single row"),
    ),
    of_file("a column twice", "model,case,case,passed\na,c,c,True\n", ", line 1: ", "'case' occurs twice"),
    of_file("a column in both cases", "model,case,CASE\na,c,c\n", ", line 1: ", "'case' occurs twice"),
    of_file("unknown columns only", "foo,bar\n1,2\n", ": ", NO_CASE, "'foo', 'bar'", CASE),
    of_file("no header at all", "a,c,0,True\na,c,1,False\n", ": ", NO_CASE, "'a', 'c', '0', 'True'", CASE),
    of_file("JSON in a CSV file", '{"model": "a", "case": "c"}\n', ": ", NO_CASE, CASE),
    of_file(
        "two columns for the case",
        "model,oid,task_id,attempt,passed\na,c,c,0,True\n",
        ": ",
        "columns 'oid' and 'task_id' both look like the case",
        "--map case=task_id",
    ),
    of_file(
        "two columns for the score",
        "model,case,passed,score,score_micro\na,c,True,1,1000000\n",
        ": ",
        "columns 'score' and 'score_micro' both look like",
        "--map score_micro=score_micro",
    ),
    of_file("a first line of 50,000 characters", "x" * 50_000 + "\n1\n", ", line 1: ", "50000 characters"),
    of_file("a first line of 5 MB", lambda: "x" * 5_000_000 + "\n1\n", ", line 1: ", "header"),
    Broken(
        name="nothing tells what passed",
        files={OUTCOMES: "model,case,attempt\na,c,0\n"},
        where="error: nothing in the outcomes says which samples passed",
        says=("--map passed=COLUMN", "--pass-score 1"),
    ),
    Broken(
        name="tests, but no word on the build",
        files={OUTCOMES: "model,case,attempt,tests_passed,tests_failed\na,c,0,4,0\na,c,1,3,1\n"},
        where="error: nothing in the outcomes says which samples passed",
        says=("built, tests_passed and tests_failed together",),
    ),
    Broken(
        name="several files and no model",
        files={"one.csv": "case,attempt,passed\nc,0,True\n", "two.csv": "case,attempt,passed\nc,1,True\n"},
        argv=("score", "one.csv", "two.csv"),
        where="error: one.csv: does not say which model answered",
        says=("add a column 'model'", "--model NAME", "<model>_fixes.csv"),
    ),
    of_file(
        "a tab file with commas",
        HEADER + ROW,
        ", line 1: ",
        "say what separates columns",
        file="outcomes.tsv",
    ),
)
