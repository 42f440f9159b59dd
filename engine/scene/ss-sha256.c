/* engine/scene/ss-sha256.c: SHA-256 after FIPS 180-4, sections 4.1.2 (functions), 5.1.1 (padding) and 6.2.2 (one
 * block).
 *
 * Why here: a stored run names its scenario by this digest; Jansson, Ipopt and AMD offer none, GLib's is out of the
 * engine's reach.
 */
#include "scene/ss-sha256.h"

#include "core/ss-memory.h"
#include "core/ss-status.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK_BYTES = 64, LENGTH_BYTES = 8, ROUNDS = 64 };

/* First 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t round_constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t
rotate_right (uint32_t x, int n)
{
  return (x >> n) | (x << (32 - n));
}

/* Mixes one block into the state (6.2.2); its eight words are variables of their own, which the compiler keeps in
 * registers. */
static void
absorb_block (uint32_t state[8], const unsigned char block[BLOCK_BYTES])
{
  uint32_t w[ROUNDS], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6],
                      h = state[7];

  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           (uint32_t)block[4 * i + 3];
  for (int i = 16; i < ROUNDS; i++) {
    uint32_t s0 = rotate_right (w[i - 15], 7) ^ rotate_right (w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint32_t s1 = rotate_right (w[i - 2], 17) ^ rotate_right (w[i - 2], 19) ^ (w[i - 2] >> 10);

    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  for (int i = 0; i < ROUNDS; i++) {
    const uint32_t sum1 = rotate_right (e, 6) ^ rotate_right (e, 11) ^ rotate_right (e, 25);
    const uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
    const uint32_t sum0 = rotate_right (a, 2) ^ rotate_right (a, 13) ^ rotate_right (a, 22);
    const uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));

    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

void
ss_sha256_hex (const void *data, size_t length, char out[65])
{
  SS_ASSERT ((length == 0 || data != NULL) && out != NULL);

  /* First 32 bits of the fractional parts of the square roots of the first 8 primes (5.3.3). */
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  static const char digits[] = "0123456789abcdef";
  const unsigned char *bytes = data;
  unsigned char tail[2 * BLOCK_BYTES] = {0};
  size_t whole = length / BLOCK_BYTES * BLOCK_BYTES, rest = length - whole;
  size_t n_tail = rest + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;

  for (size_t at = 0; at < whole; at += BLOCK_BYTES)
    absorb_block (state, bytes + at);

  /* Padding: the rest, a one bit, zeros, the length in bits, big endian. */
  if (rest > 0)
    memcpy (tail, bytes + whole, rest);
  tail[rest] = 0x80;
  for (int i = 0; i < LENGTH_BYTES; i++)
    tail[n_tail - 1 - i] = (unsigned char)((uint64_t)length * 8 >> (8 * i));
  for (size_t at = 0; at < n_tail; at += BLOCK_BYTES)
    absorb_block (state, tail + at);

  for (int i = 0; i < 64; i++)
    out[i] = digits[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  out[64] = '\0';
}

void
ss_trajectory_sha256 (const SsTrajectory *motion, char out[65])
{
  SS_ASSERT (motion != NULL && motion->n_rows >= 0);

  const size_t width = (size_t)motion->n_channels, n = (size_t)motion->n_rows * width;
  double *copy = ss_new_array (double, n + 1);

  out[0] = '\0';
  if (copy == NULL)
    return;
  for (int k = 0; k < motion->n_rows; k++)
    for (size_t c = 0; c < width; c++) {
      const double value = ss_trajectory_row (motion, k)[c];
      copy[(size_t)k * width + c] = isnan (value) ? (double)NAN : value;
    }
  ss_sha256_hex (copy, n * sizeof *copy, out);
  ss_free (copy);
}
