/* Calls a function of the answer, and writes each result as one line of JSON into the channel.
   Runs in the answer's own process; what is expected is not here, so nothing here has to be trusted. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "steelyard.h"

static char *steelyard_at, *steelyard_out;
static size_t steelyard_size, steelyard_room;
static jmp_buf steelyard_back;
static const char *steelyard_why;

static void steelyard_write(const char *text, size_t size) {
    if (steelyard_size + size + 1 > steelyard_room) steelyard_out = realloc(steelyard_out, steelyard_room = 2 * (steelyard_size + size + 64));
    memcpy(steelyard_out + steelyard_size, text, size);
    steelyard_size += size;
}
void steelyard_say(const char *text) { steelyard_write(text, strlen(text)); }
void steelyard_stop(const char *why) { steelyard_why = why; longjmp(steelyard_back, 1); }
static char steelyard_next(void) { while (strchr(" \t\r\n", *steelyard_at)) steelyard_at++; return *steelyard_at; }
static unsigned steelyard_hex(void) { char digits[5] = {0}; memcpy(digits, steelyard_at + 1, 4); steelyard_at += 4; return strtoul(digits, NULL, 16); }

static char *steelyard_string(void) {
    size_t size = 1;
    while (steelyard_at[size] != '"') size += steelyard_at[size] == '\\' ? 2 : 1;  /* never shorter than what it stands for */
    char *made = malloc(size + 1), *end = made;
    for (steelyard_at++; *steelyard_at != '"'; steelyard_at++) {
        if (*steelyard_at != '\\') { *end++ = *steelyard_at; continue; }
        char one = *++steelyard_at;
        if (one != 'u') { *end++ = one == 'b' ? '\b' : one == 'f' ? '\f' : one == 'n' ? '\n' : one == 'r' ? '\r' : one == 't' ? '\t' : one; continue; }
        unsigned code = steelyard_hex();
        if (code >= 0xd800 && code < 0xdc00) { steelyard_at += 2; code = 0x10000 + ((code - 0xd800) << 10) + (steelyard_hex() - 0xdc00); }
        if (code < 0x80) *end++ = code;
        else if (code < 0x800) { *end++ = 0xc0 | code >> 6; *end++ = 0x80 | (code & 63); }
        else if (code < 0x10000) { *end++ = 0xe0 | code >> 12; *end++ = 0x80 | (code >> 6 & 63); *end++ = 0x80 | (code & 63); }
        else { *end++ = 0xf0 | code >> 18; *end++ = 0x80 | (code >> 12 & 63); *end++ = 0x80 | (code >> 6 & 63); *end++ = 0x80 | (code & 63); }
    }
    steelyard_at++;
    *end = 0;
    return made;
}

static struct steelyard_data steelyard_read(void) {
    struct steelyard_data made = {steelyard_next(), NULL, NULL, 0};
    size_t room = 0;
    if (made.kind == '{' || made.kind == '[') {
        for (steelyard_at++; steelyard_next() != (made.kind == '{' ? '}' : ']');) {
            if (*steelyard_at == ',') { steelyard_at++; continue; }
            char *name = NULL;
            if (made.kind == '{') { name = steelyard_string(); steelyard_next(); steelyard_at++; }
            if (made.count == room) made.items = realloc(made.items, (room = 2 * room + 4) * sizeof made);
            made.items[made.count++] = steelyard_read();
            if (name) made.text = name;  /* of the last one: enough for tags */
        }
        steelyard_at++;
    } else if (made.kind == '"') made.text = steelyard_string();
    else if (made.kind == 'n' || made.kind == 't') steelyard_at += 4;
    else if (made.kind == 'f') steelyard_at += 5;
    else {
        size_t size = strspn(steelyard_at, "+-.eE0123456789");
        made.kind = '0';
        made.text = memcpy(calloc(size + 1, 1), steelyard_at, size);
        steelyard_at += size;
    }
    return made;
}

static struct steelyard_data steelyard_untagged(struct steelyard_data one) { return one.kind == '{' && one.count == 1 ? one.items[0] : one; }
long long steelyard_whole(struct steelyard_data one) {
    char *end;
    one = steelyard_untagged(one);
    if (one.kind != '0' && one.kind != '"') steelyard_stop("an argument is no number");
    errno = 0;
    long long made = *one.text == '-' ? strtoll(one.text, &end, 0) : (long long)strtoull(one.text, &end, 0);
    if (errno || *end) steelyard_stop("an argument is no whole number");
    return made;
}
double steelyard_number(struct steelyard_data one) { one = steelyard_untagged(one); if (!one.text) steelyard_stop("an argument is no number"); return strtod(one.text, NULL); }
float steelyard_float(struct steelyard_data one) { one = steelyard_untagged(one); if (!one.text) steelyard_stop("an argument is no number"); return strtof(one.text, NULL); }
bool steelyard_flag(struct steelyard_data one) { if (one.kind != 't' && one.kind != 'f') steelyard_stop("an argument is no truth value"); return one.kind == 't'; }
static char *steelyard_bytes(struct steelyard_data one) {
    char *made = calloc(one.count + 1, 1);
    for (size_t i = 0; i < one.count; i++) made[i] = steelyard_whole(one.items[i]);
    return made;
}
char *steelyard_text(struct steelyard_data one) { if (one.kind == 'n') return NULL; if (one.kind == '{' && one.count == 1 && !strcmp(one.text, "bytes")) return steelyard_bytes(one.items[0]); if (one.kind != '"') steelyard_stop("an argument is no text"); return one.text; }
char steelyard_letter(struct steelyard_data one) { if (one.kind == '0') return steelyard_whole(one); char *text = steelyard_text(one); if (!text || strlen(text) != 1) steelyard_stop("an argument is no single character"); return *text; }
struct steelyard_data steelyard_list(struct steelyard_data one) { one = steelyard_untagged(one); if (one.kind != '[') steelyard_stop("an argument is no list"); return one; }

void steelyard_put_whole(long long one) { char text[32]; snprintf(text, sizeof text, "%lld", one); steelyard_say(text); }
void steelyard_put_unsigned(unsigned long long one) { char text[32]; snprintf(text, sizeof text, "%llu", one); steelyard_say(text); }
void steelyard_put_flag(bool one) { steelyard_say(one ? "true" : "false"); }
void steelyard_put_number(double one) {
    char text[64];
    snprintf(text, sizeof text, "%.17g", one);
    steelyard_say(isnan(one) ? "{\"float\":\"nan\"}" : isinf(one) ? one > 0 ? "{\"float\":\"inf\"}" : "{\"float\":\"-inf\"}" : text);
}
void steelyard_put_float(float one) {  // the fewest digits: 0.1f is 0.1, as in other languages
    char text[64];
    for (int digits = 1; digits <= 9; digits++) { snprintf(text, sizeof text, "%.*g", digits, one); if (strtof(text, NULL) == one) break; }
    if (isfinite(one)) steelyard_say(text); else steelyard_put_number(one);
}
void steelyard_put_text(const char *text) {
    if (!text) { steelyard_say("null"); return; }
    steelyard_say("\"");
    for (; *text; text++) {
        char escaped[8];
        if (*text == '"' || *text == '\\') { steelyard_write("\\", 1); steelyard_write(text, 1); }
        else if ((unsigned char)*text < 32 || *text == 127) { snprintf(escaped, sizeof escaped, "\\u%04x", *text); steelyard_say(escaped); }
        else steelyard_write(text, 1);
    }
    steelyard_say("\"");
}
void steelyard_put_letter(char one) { char text[2] = {one, 0}; steelyard_put_text(text); }
void *steelyard_new(size_t size) { return malloc(size); }

int main(void) {
    int channel = atoi(getenv("STEELYARD_CHANNEL"));
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    for (ssize_t n; (n = read(0, text + size, room - size - 1)) > 0;) if ((size += n) + 1 >= room) text = realloc(text, room *= 2);
    text[size] = 0;
    steelyard_at = strstr(text, "\"calls\": ") + 9;
    struct steelyard_data calls = steelyard_read();
    for (size_t i = 0; i < calls.count; i++) {
        char head[32];
        snprintf(head, sizeof head, "{\"call\":%zu,", i);
        steelyard_size = 0;
        steelyard_say(head);
        if (!setjmp(steelyard_back)) {
            steelyard_say("\"returns\":");
            steelyard_call(calls.items[i].items[0].items, calls.items[i].items[0].count);
        } else {
            steelyard_size = 0;
            steelyard_say(head);
            steelyard_say("\"unknown\":");
            steelyard_put_text(steelyard_why);
        }
        steelyard_say("}\n");
        for (size_t done = 0; done < steelyard_size;) { ssize_t n = write(channel, steelyard_out + done, steelyard_size - done); if (n <= 0) _exit(1); done += n; }
    }
    fflush(stdout);
    _exit(0);
}
