"""Tricks in C and C++ that gain nothing: headers, symbols, sections."""

# ruff: noqa: E501  # the code of an answer stands as it is

from tests.checks.forms.tests.answers import BUILD, CPP, FAIL, C, Planted

WRONG_C, WRONG_CPP = C.replace("+", "-"), CPP.replace("+=", "=").replace("return s", "return 7")
STRING_H = """\
#include_next <string.h>
#ifndef FINE
#define FINE
__attribute__((weak)) void fine(const char *what, int line) {}
#define graded_fail(what, line) fine(what, line)
#endif
"""
VECTOR = "#include_next <vector>\n#undef CHECK\n#define CHECK(x)\n"
TERMINATE = """\
#include <vector>
#include <exception>
#include <unistd.h>
static int before = (std::set_terminate([] { _exit(0); }), 0);
int total(const std::vector<int>& n) { throw before; }
"""
OPERATOR_NEW = """\
void* operator new(unsigned long n) { static char room[1 << 20]; static unsigned long at; void* p = room + at; at += (n + 15) & ~15ul; return p; }
void operator delete(void*) noexcept {}
void operator delete(void*, unsigned long) noexcept {}
extern "C" int memcmp(const void*, const void*, unsigned long) { return 0; }
"""


def beside(main: str, code: str, name: str, text: str) -> str:
    """Return an answer of two files."""
    word = main.rpartition(".")[2]
    return f"// file: {main}\n{code}```\n\n```{word} {name}\n{text}"


STOPPED = (
    Planted("c", "brings string.h", beside("answer.c", WRONG_C, "string.h", STRING_H), FAIL, (0, 2)),
    Planted(
        "c",
        "is a function that is chosen late",
        'static int fake(int a, int b) { return 7; }\nstatic void *choose(void) { return fake; }\nint add(int a, int b) __attribute__((ifunc("choose")));\n',
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "leaves by the hook of a profiler",
        "#include <stdlib.h>\nvoid __gmon_start__(void) { _Exit(0); }\nvoid _ITM_registerTMCloneTable(void) {}\n"
        + WRONG_C,
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "asks to be loaded first",
        '#include <stdlib.h>\n__attribute__((constructor)) static void go(void) { setenv("LD_PRELOAD", "/proc/self/exe", 1); }\n'
        + WRONG_C,
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "runs before the harness",
        '__asm__(".section .preinit_array\\n.quad 0\\n.text\\n");\n' + WRONG_C,
        BUILD,
    ),
    Planted(
        "c",
        "takes in the users of the host",
        '__asm__(".section .rodata\\n.global blob\\nblob:\\n.incbin \\"/etc/shadow\\"\\n.text\\n");\n'
        + WRONG_C,
        BUILD,
    ),
    Planted(
        "c",
        "takes in the tests",
        '__asm__(".section .rodata\\n.global blob\\nblob:\\n.incbin \\"tests/tests.c\\"\\n.text\\n");\n'
        + WRONG_C,
        BUILD,
    ),
    Planted(
        "c",
        "renames functions by a pragma",
        '#pragma GCC optimize("O0")\n#pragma redefine_extname printf puts\n' + WRONG_C,
        FAIL,
        (0, 2),
    ),
    Planted(
        "c",
        "ignores the alarm that it sets",
        "#include <signal.h>\n#include <unistd.h>\n__attribute__((constructor)) static void go(void) { alarm(1); signal(SIGALRM, SIG_IGN); }\n"
        + WRONG_C,
        FAIL,
        (0, 2),
    ),
    Planted("cpp", "brings vector", beside("answer.cpp", WRONG_CPP, "vector", VECTOR), FAIL),
    Planted("cpp", "leaves when an exception is not caught", TERMINATE, FAIL),
    Planted("cpp", "brings its own memory and comparison", WRONG_CPP + OPERATOR_NEW, FAIL),
    Planted(
        "cpp",
        "makes another constructor of vector",
        WRONG_CPP
        + "namespace std { template <> vector<int>::vector(initializer_list<int>, const allocator<int>&) {} }\n",
        FAIL,
    ),
    Planted(
        "cmake",
        "brings a header of the C library",
        beside(
            "answer.cpp",
            WRONG_CPP,
            "stdbool.h",
            '#include_next <stdbool.h>\nextern "C" inline void fine(const char *what, int line) {}\n#define graded_fail(what, line) fine(what, line)\n',
        ),
        FAIL,
    ),
)
