import argparse
import sys


def main(argv=None):
    parser = argparse.ArgumentParser(prog="wc")
    parser.add_argument("files", nargs="+")
    parser.add_argument("-l", "--lines", action="store_true")
    parser.add_argument("-w", "--words", action="store_true")
    parser.add_argument("-c", "--chars", action="store_true")
    args = parser.parse_args(argv)
    everything = not (args.lines or args.words or args.chars)

    for name in args.files:
        try:
            text = open(name, encoding="utf-8").read()
        except OSError as error:
            print(f"wc: {name}: {error.strerror}", file=sys.stderr)
            return 1
        fields = []
        if args.lines or everything:
            fields.append(len(text.split("\n")))
        if args.words or everything:
            fields.append(len(text.split()))
        if args.chars or everything:
            fields.append(len(text))
        print(*fields, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
