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
    "text": "Halve the values but 3.",
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
    "prompt": "boost::any first(string text){\n",
    "declaration": "#include<stdio.h>\n#include<string>\n#include<boost/any.hpp>\n#include<openssl/md5.h>\n"
    "using namespace std;\nboost::any first(string text){\n",
    "canonical_solution": "    unsigned char digest[16];\n    MD5_CTX c;\n    MD5_Init(&c);\n"
    "    MD5_Update(&c, text.c_str(), text.length());\n    MD5_Final(digest, &c);\n"
    "    return (int)digest[0];\n}\n",
    "test": "#undef NDEBUG\n#include<assert.h>\nint main(){\n    pair<int,int> both={0xd4, 0x0c};\n"
    '    assert (boost::any_cast<int>(first("")) == both.first);\n'
    '    assert ((pair<int,int>{1, boost::any_cast<int>(first("a"))}) == pair<int,int>{1, 0x0c});\n}\n',
}
RUST = {
    "task_id": "Rust/0",
    "declaration": "use rand::Rng;\nuse regex::Regex;\nuse md5;\nfn twice(n: i32) -> i32 {\n",
    "prompt": "/// Return twice n.\nfn twice(n: i32) -> i32 {\n",
    "canonical_solution": "    2 * n\n}\n",
    "test": "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn doubles() {\n"
    "        assert_eq!(twice(2), 4);\n    }\n}\n",
}
PYTHON = {
    "task_id": "Python/0",
    "prompt": HUMANEVAL["prompt"],
    "canonical_solution": LARGER,
    "test": f"{HUMANEVAL['test']}\ncheck(larger)\n",
}
CRUXEVAL = {
    "id": "own_0",
    "code": "def f(a, b=0):\n    return [a, b]\n",
    "input": "1, b=2",
    "output": "[1, 2]",
}
CLASSEVAL = [
    {
        "task_id": "ClassEval_0",
        "import_statement": ["import math"],
        "skeleton": "class Circle:\n    def area(self, r):\n        ...\n",
        "solution_code": "class Circle:\n    def area(self, r):\n        return math.pi * r * r\n",
        "class_name": "Circle",
        "test": "import unittest\n\nclass CircleTest(unittest.TestCase):\n    def test_area(self):\n"
        "        self.assertAlmostEqual(Circle().area(1), math.pi)\n",
    }
]
BIGCODEBENCH = {
    "task_id": "BigCodeBench/0",
    "prompt": 'import os\n\ndef task_func():\n    """Return the folder."""',
    "canonical_solution": "    return os.getcwd()\n",
    "test": "import unittest\nfrom unittest.mock import patch\n\nclass TestCases(unittest.TestCase):\n"
    "    @patch('os.getcwd', return_value='/here')\n    def test_it(self, _):\n"
    "        self.assertEqual(task_func(), '/here')\n",
}
MCEVAL_JS = {
    "task_id": "JavaScript/1",
    "prompt": "// Return twice n.\nfunction twice(n)",
    "canonical_solution": "{\n    return 2 * n;\n}\n",
    "entry_point": "twice",
    "test": "(() => {\n    console.assert(twice(2) === 4);\n})();\n",
}
MCEVAL_GO = {
    "task_id": "Go/1",
    "prompt": 'package main\n\nimport (\n    "math"\n)\n\nfunc Root(x float64) float64 {',
    "canonical_solution": "    return math.Sqrt(x)\n}\n",
    "test": "func TestRoot(t *testing.T) {\n    assert := assert.New(t)\n"
    "    assert.InDelta(3, Root(9), 1e-9)\n    assert.True(Root(4) == 2)\n"
    "    assert.False(Root(4) == 3)\n}\n",
}
MCEVAL_CPP = {
    "task_id": "CPP/1",
    "prompt": "#include <bits/stdc++.h>\nusing namespace std;\n// Return twice n.\nint twice(int n)",
    "signature": "int twice(int n)",
    "canonical_solution": "{\n    return 2 * n;\n}\n",
    "test": "int main()\n{\n    assert(twice(2) == 4);\n    return 0;\n}\n",
}
FILES: dict[str, object] = {
    "humaneval/HumanEval.jsonl.gz": HUMANEVAL,
    "mbpp/mbpp.jsonl": MBPP,
    "humanevalplus/HumanEvalPlus.jsonl.gz": HUMANEVAL_PLUS,
    "mbppplus/MbppPlus.jsonl.gz": MBPP_PLUS,
    "humaneval-x/humaneval_go.jsonl.gz": GO,
    "humaneval-x/humaneval_java.jsonl.gz": JAVA,
    "humaneval-x/humaneval_js.jsonl.gz": JS,
    "humaneval-x/humaneval_cpp.jsonl.gz": CPP,
    "humaneval-x/humaneval_rust.jsonl.gz": RUST,
    "humaneval-x/humaneval_python.jsonl.gz": PYTHON,
    "cruxeval/cruxeval.jsonl": CRUXEVAL,
    "classeval/ClassEval_data.json": CLASSEVAL,
    "bigcodebench/BigCodeBench.jsonl.gz": BIGCODEBENCH,
    "mceval/Python.jsonl": PYTHON,
    "mceval/JavaScript.jsonl": MCEVAL_JS,
    "mceval/Go.jsonl": MCEVAL_GO,
    "mceval/CPP.jsonl": MCEVAL_CPP,
}


def write_records(folder: Path, others: Mapping[str, object] | None = None) -> None:
    """Write one record of each benchmark below a folder; `others` stand in for some of ours."""
    for name, record in {**FILES, **(others or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"{json.dumps(record)}\n".encode()
        path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
