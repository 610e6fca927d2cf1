// Stands in for OpenSSL's MD5 (RFC 1321), for texts that are handed over whole.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>

struct MD5_CTX { std::string text; };
inline void MD5_Init(MD5_CTX *c) { c->text.clear(); }
inline void MD5_Update(MD5_CTX *c, const void *data, size_t size) { c->text.append((const char *)data, size); }
inline void MD5_Final(unsigned char *digest, MD5_CTX *c) {
    static const int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    uint64_t bits = c->text.size() * 8;
    std::string text = c->text + '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int i = 0; i < 8; i++) text += (char)(bits >> (8 * i));
    for (size_t at = 0; at < text.size(); at += 64) {
        uint32_t word[16] = {}, v[4] = {state[0], state[1], state[2], state[3]};
        for (int i = 0; i < 64; i++) word[i / 4] |= (uint32_t)(unsigned char)text[at + i] << (8 * (i % 4));
        for (int i = 0; i < 64; i++) {
            uint32_t mix = i < 16 ? (v[1] & v[2]) | (~v[1] & v[3])
                         : i < 32 ? (v[3] & v[1]) | (~v[3] & v[2])
                         : i < 48 ? v[1] ^ v[2] ^ v[3] : v[2] ^ (v[1] | ~v[3]);
            int place = (i < 16 ? i : i < 32 ? 5 * i + 1 : i < 48 ? 3 * i + 5 : 7 * i) % 16;
            uint32_t sum = v[0] + mix + word[place] + (uint32_t)(4294967296.0 * std::fabs(std::sin(i + 1.0)));
            int turn = turns[i / 16][i % 4];
            v[0] = v[3], v[3] = v[2], v[2] = v[1];
            v[1] += (sum << turn) | (sum >> (32 - turn));
        }
        for (int i = 0; i < 4; i++) state[i] += v[i];
    }
    for (int i = 0; i < 16; i++) digest[i] = (unsigned char)(state[i / 4] >> (8 * (i % 4)));
}
