import argparse
import sys
from pathlib import Path


def count(text):
    return {"lines": text.count("\n"), "words": len(text.split()), "chars": len(text)}


def main(argv=None):
    parser = argparse.ArgumentParser(prog="wc")
    parser.add_argument("files", nargs="+")
    parser.add_argument("-l", "--lines", action="store_true")
    parser.add_argument("-w", "--words", action="store_true")
    parser.add_argument("-c", "--chars", action="store_true")
    args = parser.parse_args(argv)

    columns = [name for name in ("lines", "words", "chars") if getattr(args, name)] or ["lines", "words", "chars"]
    totals = dict.fromkeys(columns, 0)
    status = 0
    for name in args.files:
        try:
            counts = count(Path(name).read_bytes().decode("utf-8"))
        except OSError as error:
            print(f"wc: {name}: {error.strerror}", file=sys.stderr)
            status = 1
            continue
        for column in columns:
            totals[column] += counts[column]
        print(*(counts[column] for column in columns), name)
    if len(args.files) > 1:
        print(*totals.values(), "total")
    return status


if __name__ == "__main__":
    sys.exit(main())
