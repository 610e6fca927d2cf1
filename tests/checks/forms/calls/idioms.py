"""Usual answers, language by language: what people and models write in it."""

from collections.abc import Mapping
from typing import NamedTuple

from steelyard.model.graded import Plain


class Idiom(NamedTuple):
    """An answer, and what a call of its function gives."""

    language: str
    function: str
    args: tuple[Plain, ...]
    returns: Plain
    code: str
    signature: str = ""


def named(idioms: Mapping[str, Idiom]) -> list[str]:
    """Return names of tests, each with its language."""
    return [f"{idiom.language}: {name}" for name, idiom in idioms.items()]


NAMES = "#include <bits/stdc++.h>\nusing namespace std;\n"
OVERLOADS = (
    "class Calc {\n  static String join(String a, String b) { return a + b; }\n"
    "  static double join(double a, double b) { return a / b; }\n"
    "  static int join(char a, char b) { return 1; }\n"
    "  static int join(int a, int b) { return a / b; }\n}"
)
IDIOMS = {
    "a map of lists": Idiom(
        "cpp",
        "grouped",
        (["ab", "ba", "c"],),
        {"ab": ["ab", "ba"], "c": ["c"]},
        NAMES + "map<string, vector<string>> grouped(const vector<string>& words) {\n"
        "  map<string, vector<string>> made;\n  for (auto word : words) {\n"
        "    auto key = word; sort(key.begin(), key.end()); made[key].push_back(word); }\n  return made; }",
    ),
    "an optional list": Idiom(
        "cpp", "f", (1,), [1], NAMES + "optional<vector<int>> f(int one) { return vector<int>{one}; }"
    ),
    "a tuple with a list and a pair": Idiom(
        "cpp",
        "f",
        (1,),
        [1, [1], [2, [3]]],
        NAMES + "tuple<int, vector<int>, pair<int, list<int>>> f(int one) { return {one, {one}, {2, {3}}}; }",
    ),
    "a function named like one of std": Idiom(
        "cpp",
        "gcd",
        (12, 18),
        6,
        NAMES + "int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }",
    ),
    "a float": Idiom("cpp", "half", (0.2,), 0.1, "float half(float one) { return one / 2; }"),
    "a double of C++ that is rounded once": Idiom(
        "cpp", "same", (6.497066042245216,), 6.497066042245216, "double same(double one) { return one; }"
    ),
    "a long double of C++": Idiom(
        "cpp",
        "same",
        (6.497066042245216,),
        6.497066042245216,
        "long double same(long double one) { return one; }",
    ),
    "a float of C++ that is rounded once": Idiom(
        "cpp",
        "is_it",
        (2.981437852156432e-08,),
        1,
        "int is_it(float one) { return one == 2.981437852156432e-08f; }",
    ),
    "a float of C that is rounded once": Idiom(
        "c",
        "is_it",
        (2.981437852156432e-08,),
        1,
        "int is_it(float one) { return one == 2.981437852156432e-08f; }",
        "int is_it(float one)",
    ),
    "a long double of C": Idiom(
        "c",
        "half",
        (0.5,),
        0.25,
        "long double half(long double one) { return one / 2; }",
        "long double half(long double one)",
    ),
    "a float32 of Go that is rounded once": Idiom(
        "go",
        "isIt",
        (2.981437852156432e-08,),
        [True],
        "package main\n\nfunc isIt(one float32) []bool { return []bool{one == 2.981437852156432e-08} }",
    ),
    "a float of C": Idiom(
        "c", "half", (0.2,), 0.1, "float half(float one) { return one / 2; }", "float half(float one)"
    ),
    "a package of Java": Idiom(
        "java",
        "add",
        (1, 2),
        3,
        "package com.example;\n\npublic class Calc {\n"
        "  public static int add(int a, int b) { return Sum.of(a, b); }\n}\n"
        "class Sum { static int of(int a, int b) { return a + b; } }",
    ),
    "classes called like those of Java": Idiom(
        "java",
        "add",
        (1, 2),
        3,
        "public class Calc {\n"
        "  public static int add(int a, int b) { return new LinkedList().sum(a, b); }\n}\n"
        "class LinkedList { int sum(int a, int b) { return a + b; } }\nclass Character {}\n"
        "enum Type { PLUS, MINUS }",
    ),
    "an interface of Java": Idiom(
        "java",
        "add",
        (1, 2),
        3,
        "interface Adder { int add(int a, int b); }\npublic class Calc implements Adder {\n"
        "  public int add(int a, int b) { return a + b; }\n}",
    ),
    "an interface of Java with type parameters": Idiom(
        "java",
        "add",
        (1, 2),
        3,
        "interface Adder<T> { T add(T a, T b); }\nclass Calc implements Adder<Integer> {\n"
        "  public Integer add(Integer a, Integer b) { return a + b; }\n}",
    ),
    "a helper of Java with the same method": Idiom(
        "java",
        "twice",
        (5,),
        10,
        "class Aid { final int by; Aid(int by) { this.by = by; } int twice(int one) { return one * by; } }\n"
        "class Other { int twice(int one) { return 0; } }\n"
        "public class Solution {\n  static class Aid2 { static int twice(int one) { return 0; } }\n"
        "  public int twice(int one) { return new Aid(2).twice(one); }\n}",
    ),
    "what gcc has without an option": Idiom(
        "c",
        "area",
        ("1",),
        3.141592653589793,
        "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "double area(const char *r) { char *copy = strdup(r); return M_PI * pow(strtod(copy, NULL), 2); }",
        "double area(const char *r)",
    ),
    "what the answer asks for first": Idiom(
        "c",
        "place",
        ("abc", "C"),
        2,
        "#define _GNU_SOURCE\n#include <string.h>\n"
        "long place(const char *text, const char *part) { return strcasestr(text, part) - text; }",
        "long place(const char *text, const char *part)",
    ),
    "functions called like those of headers that the answer does not include": Idiom(
        "c",
        "pow",
        (2, 3),
        8,
        "static int access(int one) { return one; }\nint read(int one) { return access(one); }\n"
        "int pow(int base, int n) { int made = 1; while (read(n--)) made *= base; return made; }\n"
        "int main(void) { return pow(2, 0); }",
        "int pow(int base, int n)",
    ),
    "types of its own": Idiom(
        "c",
        "count",
        ([1, 0, 2],),
        2,
        "typedef enum { false, true } bool;\ntypedef long long int64_t;\n"
        "static bool is_set(int one) { return one ? true : false; }\n"
        "int64_t count(const int *items, unsigned length) {\n"
        "  int64_t made = 0;\n  for (unsigned i = 0; i < length; i++) made += is_set(items[i]);\n"
        "  return made; }",
        "int64_t count(const int *items, size_t length)",
    ),
    "names of Go that are also those of packages": Idiom(
        "go",
        "reflect",
        ([1, 2],),
        [2, 1],
        "package main\n\nvar errors, testing int\n\nfunc big(items []int) int { return items[1] }\n\n"
        "func reflect(items []int) []int { errors++; return []int{big(items), items[0]} }",
    ),
    "a function of Go named as the driver names a variable": Idiom(
        "go", "number", (1,), 2, "package main\n\nfunc number(one int) int { return 2 * one }"
    ),
    "a module of JavaScript that is a function": Idiom(
        "javascript", "add", (1, 2), 3, "module.exports = (a, b) => a + b;"
    ),
    "a module of JavaScript that is a function with a name": Idiom(
        "javascript", "add", (1, 2), 3, "exports = module.exports = function add(a, b) { return a + b; };"
    ),
    "a float of Java": Idiom(
        "java", "half", (0.2,), 0.1, "class Calc { static float half(float one) { return one / 2; } }"
    ),
    "a whole number of JavaScript beyond 2 to the 53": Idiom(
        "javascript", "power", (2, 60), 1152921504606846976, "export const power = (a, b) => a ** b;"
    ),
    "a whole float64 of Go": Idiom(
        "go",
        "power",
        (2, 60),
        1152921504606846976,
        'package main\n\nimport "math"\n\nfunc power(a, b float64) float64 { return math.Pow(a, b) }',
    ),
    "an enum of texts of Python": Idiom(
        "python",
        "status",
        (),
        {"ok": ["ok", 1]},
        "from enum import Enum\n\nclass Status(str, Enum):\n    OK = 'ok'\n\n"
        "def status():\n    return {Status.OK: [Status.OK, 1]}",
    ),
    "a float32 of Go": Idiom(
        "go", "half", (0.2,), 0.1, "package main\n\nfunc half(one float32) float32 { return one / 2 }"
    ),
    "an OptionalInt of Java": Idiom(
        "java",
        "biggest",
        ([1, 3, 2],),
        3,
        "import java.util.*;\n"
        "class Calc { static OptionalInt biggest(int[] items) { return Arrays.stream(items).max(); } }",
    ),
    "an OptionalDouble of Java without a value": Idiom(
        "java",
        "mean",
        ([],),
        None,
        "import java.util.*;\n"
        "class Calc { static OptionalDouble mean(int[] items) { return Arrays.stream(items).average(); } }",
    ),
    "a BigDecimal of Java": Idiom(
        "java",
        "twice",
        (0.1,),
        0.2,
        "import java.math.*;\n"
        "class Calc { static BigDecimal twice(BigDecimal one) { return one.add(one); } }",
    ),
    "type parameters of Java": Idiom(
        "java",
        "biggest",
        ([1, 3, 2], [[1], [2]]),
        5,
        "import java.util.*;\nclass Calc {\n"
        "  static <T extends Comparable<T>> long biggest(T[] items, List<? extends List<Long>> others) {\n"
        "    T made = items[0];\n    for (T one : items) if (one.compareTo(made) > 0) made = one;\n"
        "    long last = others.get(1).get(0);\n    return (Integer) (Object) made + last;\n  }\n}",
    ),
    "an overload of Java for whole numbers": Idiom("java", "join", (7, 2), 3, OVERLOADS),
    "an overload of Java for floats": Idiom("java", "join", (7.0, 2), 3.5, OVERLOADS),
    "an overload of Java for text": Idiom("java", "join", ("ab", "c"), "abc", OVERLOADS),
    "values of any type of Go": Idiom(
        "go",
        "sum",
        ([2**60, {"float": "-inf"}, 1, {"bytes": "YQ=="}],),
        [2**60 + 1, {"float": "-inf"}, [97]],
        "package main\n\nfunc sum(items []interface{}) []interface{} {\n"
        "\treturn []interface{}{items[0].(int) + items[2].(int), items[1].(float64), items[3].([]byte)}\n}",
    ),
    "a Cow of Rust": Idiom(
        "rust",
        "closed",
        ("a b",),
        "ab",
        "use std::borrow::Cow;\npub fn closed(text: Cow<str>) -> Cow<str> {\n"
        "    if text.contains(' ') { Cow::Owned(text.replace(' ', \"\")) } else { text }\n}",
    ),
    "a linked list of Rust": Idiom(
        "rust",
        "letters",
        ("ab",),
        ["a", "b"],
        "use std::collections::LinkedList;\n"
        "pub fn letters(text: &str) -> LinkedList<char> { text.chars().collect() }",
    ),
    "eight parameters of Rust": Idiom(
        "rust",
        "sum",
        (1, 2, 3, 4, 5, 6, 7, 8),
        36,
        "pub fn sum(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32, g: i32, h: i32) -> i32 {\n"
        "    a + b + c + d + e + f + g + h\n}",
    ),
    "six results of Rust": Idiom(
        "rust",
        "ages",
        ([1, 2, 3, 4, 5, 6],),
        [6, 5, 4, 3, 2, 1],
        "type Six = (i32, u32, u32, u32, u32, u32);\n"
        "pub fn ages(all: Six) -> Six { (all.5 as i32, all.4, all.3, all.2, all.1, all.0 as u32) }",
    ),
    "a text of C that is changed in place": Idiom(
        "c",
        "turn",
        ("abc",),
        "cba",
        "#include <string.h>\nvoid turn(char *text) {\n  size_t n = strlen(text);\n"
        "  for (size_t i = 0; i < n / 2; i++) {\n"
        "    char one = text[i]; text[i] = text[n - 1 - i]; text[n - 1 - i] = one; } }",
        "void turn(char *text)",
    ),
    "bytes in a vector of C++": Idiom(
        "cpp",
        "sum",
        ({"bytes": "AP8="}, {"bytes": "AP8="}, {"bytes": "AP8="}),
        [255, 255, {"bytes": "AP8="}],
        NAMES
        + "tuple<int, int, vector<byte>> sum(const vector<uint8_t>& a, vector<char> b, vector<byte> c) {\n"
        "  return {a.at(1), (unsigned char)b.at(1), c}; }",
    ),
    "bytes in a text of C++": Idiom(
        "cpp",
        "sum",
        ({"bytes": "AP8="}, {"bytes": "AP8="}, "ab"),
        [2, 255, 2],
        NAMES + "vector<int> sum(const string& a, string_view b, const string& c) {\n"
        "  return {(int)a.size(), (unsigned char)b.at(1), (int)c.size()}; }",
    ),
    "bytes in a list of C": Idiom(
        "c",
        "sum",
        ({"bytes": "AP8="},),
        257,
        "#include <stdint.h>\n#include <stddef.h>\n"
        "int sum(const uint8_t *data, size_t length) { return length + data[0] + data[1]; }",
        "int sum(const uint8_t *data, size_t length)",
    ),
    "bytes in a text of C": Idiom(
        "c",
        "sum",
        ({"bytes": "AP8="}, 2),
        257,
        "int sum(const char *data, int length) { return length + data[0] + (unsigned char)data[1]; }",
        "int sum(const char *data, int length)",
    ),
    "bytes in slices of Rust": Idiom(
        "rust",
        "joined",
        ({"bytes": "AP8="}, {"bytes": "AP8="}, {"bytes": "AP8="}),
        {"bytes": "AP8A/wD/"},
        "pub fn joined(a: &[u8], b: Vec<u8>, c: [u8; 2]) -> Vec<u8> { [a, &b, &c].concat() }",
    ),
    "a null of C++": Idiom(
        "cpp",
        "known",
        ({"null": True}, 1),
        [False, True],
        NAMES
        + "vector<bool> known(optional<int> a, optional<int> b) { return {a.has_value(), b.has_value()}; }",
    ),
    "a null of Rust": Idiom(
        "rust",
        "known",
        ({"null": True},),
        [False],
        "pub fn known(one: Option<i32>) -> [bool; 1] { [one.is_some()] }",
    ),
    "a function of C++ named like one of unistd.h": Idiom(
        "cpp",
        "truncate",
        ("abc", 2),
        "ab",
        "#include <string>\nstd::string truncate(std::string one, int n) { return one.substr(0, n); }",
    ),
    "sorted maps and sets of Java": Idiom(
        "java",
        "first",
        ({"b": 1, "a": 2}, {"dict": [[2, 1], [1, 1]]}, {"set": [5, 4]}, [7, 6]),
        ["a", 1, 4, 6],
        "import java.util.*;\nclass Calc {\n  static List<Object> first(SortedMap<String, Integer> a,\n"
        "      NavigableMap<Integer, Integer> b, SortedSet<Integer> c, NavigableSet<Integer> d) {\n"
        "    return List.of(a.firstKey(), b.firstKey(), c.first(), d.first());\n  }\n}",
    ),
    "a macro of Rust named like one of std": Idiom(
        "rust",
        "twice",
        (1,),
        2,
        "macro_rules! stringify { ($one:expr) => { 2 * $one } }\n"
        "pub fn twice(one: i32) -> i32 { stringify!(one) }",
    ),
}
