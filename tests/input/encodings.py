"""Outcome files in other encodings than UTF-8, and files that are no text at all."""

import gzip

from tests.input.broken import HEADER, ROW, of_file

TEXT = HEADER + ROW
NO_TEXT = "is not a text file (it holds control characters); save it as UTF-8 text"
NO_UTF8 = "is not UTF-8 text; save the file as UTF-8"

ENCODINGS = (
    of_file("a Latin-1 header", "modèle,case,attempt,passed\n".encode("latin-1"), ", line 1: ", NO_UTF8),
    of_file("a Latin-1 row", TEXT.encode() + "a,é,1,True\n".encode("latin-1"), ", line 3: ", NO_UTF8),
    of_file(
        "a Latin-1 row far below",
        (HEADER + "".join(f"a,c,{place},True\n" for place in range(20_000))).encode() + b"a,\xe9,0,True\n",
        ", line 20002: ",
        NO_UTF8,
    ),
    of_file(
        "a Latin-1 row in a packed file",
        gzip.compress(TEXT.encode() + b"a,\xe9,1,True\n"),
        ", line 3: ",
        NO_UTF8,
        file="packed.csv.gz",
    ),
    of_file("UTF-16 with its mark", TEXT.encode("utf-16"), ": ", "is UTF-16 text; save it as UTF-8"),
    of_file("UTF-16 without a mark", TEXT.encode("utf-16-le"), ": ", NO_TEXT),
    of_file("big-endian UTF-16", TEXT.encode("utf-16-be"), ": ", NO_TEXT),
    of_file("a NUL in the header", "model,ca\0se,attempt,passed\n", ": ", NO_TEXT),
    of_file("a tail of NULs after a crash", TEXT.encode() + bytes(4096), ", line 3: ", "found 1"),
    of_file("every byte there is", bytes(range(256)) * 40, ": ", NO_TEXT),
    of_file("a zip archive", b"PK\x03\x04" + bytes(range(1, 256)), ": ", NO_TEXT),
    of_file("packed data without .gz", gzip.compress(TEXT.encode()), ": ", NO_TEXT),
    of_file(
        "Latin-1 in JSON lines",
        '{"model": "é", "case": "c", "passed": true}\n'.encode("latin-1"),
        ", row 1: ",
        "is not JSON (invalid UTF-8 encoding in string)",
        file="results.jsonl",
    ),
    of_file(
        "UTF-16 JSON lines",
        '{"model": "a", "case": "c", "passed": true}\n'.encode("utf-16"),
        ", row 1: ",
        "UTF-16 encoding is not supported",
        file="results.jsonl",
    ),
    of_file(
        "JSON lines with a byte-order mark",
        b'\xef\xbb\xbf{"model": "a", "case": "c", "passed": true}\n',
        ", row 1: ",
        "byte order mark (BOM) is not supported",
        file="results.jsonl",
    ),
)
