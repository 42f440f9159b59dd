/* engine/geometry/ss-trace.h: the outline of a region of one colour in a picture, as a polygon.
 *
 * The region is what hangs together with a pixel by its four sides and has a like colour: sqrt (((dr^2 + dg^2 + db^2 +
 * da^2) / 4)) of the differences from that pixel, each of 0..1, is at most `likeness`. Its outline goes half-way
 * between the middles of pixels of it and beside it (marching squares); holes are filled. The outline is simplified to
 * a polygon from which it is at most `fineness` pixels away (Douglas and Peucker, 1973); then each edge becomes the
 * straight line through its part of the outline, least squares, where the corners stay within twice that,
 * and dents of less than half of it are filled.
 * Places are in pixels from the picture's upper left corner, x to the right, y down. Pure functions.
 * Tests: tests/unit/test-trace.c
 */
#pragma once

#include "core/ss-core.h"

#include <stdint.h>

/* Four bytes a pixel: red, green, blue, alpha. `stride`: bytes from row to row. */
typedef struct {
  const uint8_t *pixels;
  int width, height, stride;
} SsImage;

enum { SS_TRACE_PIXELS_MAX = 1 << 25, SS_TRACE_CORNERS_MAX = 1000 };

/* Corners in one direction, without the first again at the end; ss_free. SS_ERR_INVALID: the pixel is outside, the
 * region has fewer than 9 pixels, its outline has more than SS_TRACE_CORNERS_MAX corners, fewer than three, or crosses
 * itself; SS_ERR_MEMORY. `likeness` 0..1, `fineness` > 0 [px]. */
SS_NODISCARD SsStatus ss_trace_region (const SsImage *image, int x, int y, double likeness, double fineness,
                                       SsVec2 **corners, int *n_corners, SsError *err);
