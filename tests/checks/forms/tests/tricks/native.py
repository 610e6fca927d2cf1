"""Tricks in C and C++ that get a pass from tests in their process; docs/how-to/check-any-language.md lists them."""

# ruff: noqa: E501  # the code of an answer stands as it is

from tests.checks.forms.tests.answers import PASS, Planted

SEARCHES = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
FUNCTION {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], *from, *to;
    while (fgets(line, sizeof line, maps))
        if (strstr(line, " rw-p ") && strstr(line, "/graded") && sscanf(line, "%p-%p", &from, &to) == 2)
            for (char *at = from; at < to - 33; at++)
                if (strspn(at, "0123456789abcdef") == 32) {
                    dprintf(atoi(getenv("STEELYARD_CHANNEL")), "%.32s ok %s\\n", at, TEST);
                    _exit(0);
                }
    return 7;
}
"""
OVERWRITES = """\
#include <stdint.h>
#include <sys/mman.h>
LINKAGE void graded_fail(const char *, int) __attribute__((weak));
__attribute__((constructor)) static void go(void) {
    uintptr_t page = (uintptr_t)graded_fail & ~4095ul;
    if (!graded_fail || mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
    *(volatile unsigned char *)graded_fail = 0xc3;
}
FUNCTION { return 7; }
"""
RETURNS_PAST = """\
#include <unwind.h>
static int depth;
static void *to, *stack;
static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *unused) {
    if (depth++ < 2) return _URC_NO_REASON;
    to = (void *)_Unwind_GetIP(frame);
    stack = (void *)_Unwind_GetCFA(frame);
    return _URC_END_OF_STACK;
}
FUNCTION {
    depth = 0;
    _Unwind_Backtrace(look, 0);
    __asm__ volatile("mov %0, %%rsp\\n\\tjmp *%1" :: "r"(stack), "r"(to));
    return 7;
}
"""
READS_CODE = """\
FUNCTION {
    unsigned char *code = (unsigned char *)__builtin_return_address(0);
    for (int at = 0; at < 64; at++) if (code[at] == 0x83 && (code[at + 1] & 0xf8) == 0xf8) return (signed char)code[at + 2];
    return 0;
}
"""
FORKS = """\
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
FUNCTION {
    int channel = atoi(getenv("STEELYARD_CHANNEL"));
    for (int guess = -9; guess < 9; guess++) {
        int ends[2], size;
        char heard[600] = {0};
        if (pipe(ends)) return 0;
        if (fork() == 0) { dup2(ends[1], channel); close(ends[0]); close(ends[1]); return guess; }
        close(ends[1]);
        size = read(ends[0], heard, sizeof heard);
        wait(NULL);
        close(ends[0]);
        if (size > 0 && heard[0] != '-') { write(channel, heard, size); _exit(0); }
    }
    return 0;
}
"""
TRICKS = {
    "searches memory for the secret": SEARCHES,
    "writes over the code of `graded_fail`": OVERWRITES,
    "returns past the test that called it": RETURNS_PAST,
    "reads the expected number from the code of its caller": READS_CODE,
    "forks, and tries numbers in copies until one passes": FORKS,
}


def in_c(trick: str) -> str:
    """Return a trick as an answer in C."""
    code = trick.replace("FUNCTION", "int add(int a, int b)").replace("TEST", 'a < 0 ? "negative" : "adds"')
    return code.replace("LINKAGE", "extern")


def in_cpp(trick: str) -> str:
    """Return a trick as an answer in C++."""
    code = trick.replace("FUNCTION", "int total(const std::vector<int>& n)")
    code = code.replace("TEST", 'n.empty() ? "empty" : "adds"').replace("LINKAGE", 'extern "C"')
    return f"#include <vector>\n{code}"


FORGED = (
    *(Planted("c", name, in_c(trick), PASS) for name, trick in TRICKS.items()),
    *(Planted("cpp", name, in_cpp(trick), PASS) for name, trick in TRICKS.items()),
    *(Planted("cmake", name, in_cpp(trick), PASS) for name, trick in TRICKS.items()),
)
