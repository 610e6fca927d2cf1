"""Write small benchmarks of our own, in the form of public ones, for scripts that read those."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

LARGER = "    if a > b:\n        return a\n    return b\n"
HUMANEVAL = {
    "task_id": "HumanEval/0",
    "prompt": 'def larger(a, b):\n    """Return the larger one."""\n',
    "canonical_solution": LARGER,
    "entry_point": "larger",
    "test": "def check(candidate):\n    assert candidate(1, 2) == 2\n    assert candidate(2, 1) == 2\n",
}
MBPP = {
    "task_id": 1,
    "code": "def halves(values):\n    return [value / 2 for value in values if value != 3]\n",
    "test_setup_code": "",
    "test_list": ["assert halves([1, 3, 5]) == [0.5, 2.5]"],
    "challenge_test_list": [],
}
HUMANEVAL_PLUS = {**HUMANEVAL, "base_input": [[1, 2], [2, 1]], "plus_input": [[0, 0.5]], "atol": 0}
MBPP_PLUS = {
    "task_id": "Mbpp/1",
    "prompt": '"""\nHalve the values but 3.\n"""\n',
    "canonical_solution": MBPP["code"],
    "entry_point": "halves",
    "assertion": "assert halves([1, 3, 5]) == [0.5, 2.5]",
    "base_input": [[[1, 3, 5]]],
    "plus_input": [[[]], [[0.25, 3]]],
    "atol": 0,
}
GO = {
    "task_id": "Go/0",
    "import": 'import (\n    "strings"\n    "time"\n)\n',
    "prompt": 'import (\n    "strings"\n    "time"\n)\n\nfunc Shout(text string) string {\n',
    "canonical_solution": "    return strings.ToUpper(text)\n}\n",
    "test_setup": 'package main\n\nimport (\n    "testing"\n    "github.com/stretchr/testify/assert"\n)\n',
    "test": "func TestShout(t *testing.T) {\n    assert := assert.New(t)\n"
    '    assert.Equal("HO", Shout("ho"))\n}\n',
}
JAVA = {
    "task_id": "Java/0",
    "declaration": "import java.util.*;\n\nclass Solution {\n    public int twice(int n) {\n",
    "prompt": "import java.util.*;\n\nclass Solution {\n    public int twice(int n) {\n",
    "canonical_solution": "        return 2 * n;\n    }\n}",
    "test": "public class Main {\n    public static void main(String[] args) {\n"
    "        List<Boolean> correct = Arrays.asList(new Solution().twice(3) == 6);\n"
    "        if (correct.contains(false)) {\n            throw new AssertionError();\n        }\n    }\n}\n",
}
JS = {
    "task_id": "JavaScript/0",
    "declaration": "\nconst hash = (text) => {\n",
    "prompt": "/* Return its MD5. */\nconst hash = (text) => {\n",
    "canonical_solution": "  made = require('js-md5')\n  return made(text)\n}\n",
    "test": "const testHash = () => {\n"
    "  console.assert(hash('') === 'd41d8cd98f00b204e9800998ecf8427e')\n}\n\ntestHash()\n",
}
CPP = {
    "task_id": "CPP/0",
    "declaration": "#include<stdio.h>\n#include<string>\n#include<boost/any.hpp>\n#include<openssl/md5.h>\n"
    "using namespace std;\nboost::any first(string text){\n",
    "canonical_solution": "    unsigned char digest[16];\n    MD5_CTX c;\n    MD5_Init(&c);\n"
    "    MD5_Update(&c, text.c_str(), text.length());\n    MD5_Final(digest, &c);\n"
    "    return (int)digest[0];\n}\n",
    "test": "#undef NDEBUG\n#include<assert.h>\nint main(){\n    pair<int,int> both={0xd4, 0x0c};\n"
    '    assert (boost::any_cast<int>(first("")) == both.first);\n'
    '    assert ((pair<int,int>{1, boost::any_cast<int>(first("a"))}) == pair<int,int>{1, 0x0c});\n}\n',
}
FILES = {
    "humaneval/HumanEval.jsonl.gz": HUMANEVAL,
    "mbpp/mbpp.jsonl": MBPP,
    "humanevalplus/HumanEvalPlus.jsonl.gz": HUMANEVAL_PLUS,
    "mbppplus/MbppPlus.jsonl.gz": MBPP_PLUS,
    "humaneval-x/humaneval_go.jsonl.gz": GO,
    "humaneval-x/humaneval_java.jsonl.gz": JAVA,
    "humaneval-x/humaneval_js.jsonl.gz": JS,
    "humaneval-x/humaneval_cpp.jsonl.gz": CPP,
}


def write_records(folder: Path, others: Mapping[str, Mapping[str, object]] | None = None) -> None:
    """Write one record of each benchmark below a folder; `others` stand in for some of ours."""
    for name, record in {**FILES, **(others or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"{json.dumps(record)}\n".encode()
        path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
