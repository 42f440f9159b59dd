/* engine/scene/ss-sha256.h: SHA-256 of a text, the identity of a scenario file in stored runs.
 * Written here because no library of the engine's dependencies offers it (GLib does, but belongs to the application).
 * Source: FIPS 180-4. Tests: tests/unit/test-scenario.c (the standard's vectors). Pure function, no allocation. */
#pragma once

#include <stddef.h>

/* Digest of length bytes as 64 lower-case hexadecimal digits, terminated. */
void ss_sha256_hex (const void *data, size_t length, char out[65]);
