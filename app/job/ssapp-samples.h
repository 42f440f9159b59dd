/* app/job/ssapp-samples.h: which samples of a run are kept where all of them would be too many.
 *
 * Threads: any. Tests: tests/unit/test-impact-record.c */
#pragma once

#include <glib.h>

#include "run/ss-run.h"

G_BEGIN_DECLS

enum { SSAPP_SAMPLES_KEPT = 1 << 18 };

/* The rows that are kept: all of them up to SSAPP_SAMPLES_KEPT, else every k-th, and the corners of the hulls in the
 * planes of the two speeds of each contact and of each pair of normal speeds (columns that begin with vn_ and vt_), but
 * for corners that stand out by less than 1e-6 of the hull's size, which single precision would not tell apart. NaN is
 * no place in a plane. New table, ss_samples_free; SS_ERR_MEMORY. */
SS_NODISCARD SsStatus ssapp_samples_thin (const SsSamples *samples, SsSamples **out, SsError *err);

G_END_DECLS
