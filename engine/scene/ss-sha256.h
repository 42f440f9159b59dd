/* engine/scene/ss-sha256.h: SHA-256 of a text, the identity of a scenario file in stored runs.
 * Written here because no library of the engine's dependencies offers it (GLib does, but belongs to the application).
 * Source: FIPS 180-4. Tests: tests/unit/test-scenario.c (the standard's vectors). Threads: any. */
#pragma once

#include "core/ss-trajectory.h"

#include <stddef.h>

/* Digest of length bytes as 64 lower-case hexadecimal digits, terminated. */
void ss_sha256_hex (const void *data, size_t length, char out[65]);

/* The same of all rows of a motion, as doubles in their order; a NaN is one number, whatever its bits are. "" where
 * there is no memory. */
void ss_trajectory_sha256 (const SsTrajectory *motion, char out[65]);
