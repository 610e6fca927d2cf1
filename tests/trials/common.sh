# What the three trials share: a folder of their own, and a way to say what was expected.
set -eu
repository=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d "${TMPDIR:-/tmp}/trial-XXXXXX")
cd "$place"

# expect FILE WORDS: the file holds the words.
expect() {
    grep -qF -- "$2" "$1" || { echo "FAILED: '$2' is not in $place/$1:"; head -n 20 "$1" | cut -c1-200; exit 1; }
}

# ends CODE COMMAND...: the command exits with this code; what it shows is in `shown`.
ends() {
    wanted=$1
    shift
    code=0
    "$@" > shown 2>&1 || code=$?
    [ "$code" = "$wanted" ] || { echo "FAILED: exit code $code instead of $wanted: $*"; cat shown; exit 1; }
}

done_here() {
    echo "all good: $place"
}
