/* tests/unit/test-trace.c: outlines of drawn regions. Truth: their areas and corners. */
#include "geometry/ss-trace.h"

#include "tests/ss-test.h"

enum { SIZE = 200 };
static uint8_t canvas[SIZE * SIZE * 4];
static const SsImage image = {canvas, SIZE, SIZE, 4 * SIZE};

static const double PI = 3.14159265358979323846;

/* A picture in white, with `ink` of a colour where a function says how much of a pixel is covered. */
static void
paint (double (*cover) (double x, double y), const uint8_t ink[3])
{
  for (int i = 0; i < SIZE * SIZE; i++) {
    double share = 0;
    for (int k = 0; k < 16; k++)
      share += cover (i % SIZE + (k % 4 + 0.5) / 4, i / SIZE + (k / 4 + 0.5) / 4) / 16;
    for (int c = 0; c < 3; c++)
      canvas[4 * i + c] = (uint8_t)lround (255 + share * (ink[c] - 255.));
    canvas[4 * i + 3] = 255;
  }
}

static double
disc (double x, double y)
{
  return hypot (x - 100, y - 90) <= 60;
}

static double
ring (double x, double y)
{
  return disc (x, y) - (hypot (x - 100, y - 90) <= 20);
}

static double
l_shape (double x, double y)
{
  return x >= 20 && x <= 160 && y >= 30 && y <= 180 && (x <= 60 || y >= 140);
}

/* A square whose sides are not along those of pixels. */
static double
diamond (double x, double y)
{
  const double u = (x - 100) * cos (0.4) + (y - 100) * sin (0.4), v = (y - 100) * cos (0.4) - (x - 100) * sin (0.4);

  return fabs (u) <= 50 && fabs (v) <= 50;
}

static double
two_squares (double x, double y) /* that meet at a corner */
{
  return (x >= 20 && x <= 60 && y >= 20 && y <= 60) || (x >= 60 && x <= 100 && y >= 60 && y <= 100);
}

static double
whole (double x, double y)
{
  (void)x;
  (void)y;
  return 1;
}

static const uint8_t RED[3] = {200, 30, 20};

/* Number of corners of the outline about a pixel, and its area [px2]. */
static int
trace (int x, int y, double likeness, double fineness, SsVec2 **corners, double *area)
{
  SsError err = {0};
  int n = 0;

  SS_CHECK (ss_trace_region (&image, x, y, likeness, fineness, corners, &n, &err) == SS_OK);
  if (n == 0)
    printf ("%s\n", err.message);
  *area = 0;
  for (int i = 0; i < n; i++) {
    const SsVec2 a = (*corners)[i], b = (*corners)[(i + 1) % n];
    *area += (a.x * b.y - a.y * b.x) / 2;
  }
  return n;
}

static void
test_disc (void)
{
  SsVec2 *corners;
  double area;

  paint (disc, RED);
  for (int k = 0; k < 3; k++) {
    const double fineness[] = {0.5, 1, 3};
    const int n = trace (100, 100, 0.3, fineness[k], &corners, &area);
    SS_CHECK (n >= 8 && n < 100);
    SS_CHECK_NEAR (area, PI * 3600, 2 * PI * 60 * 0.5 * fineness[k]); /* half of it along the rim */
    for (int i = 0; i < n; i++) /* half a pixel of the outline, and twice the fineness */
      SS_CHECK_NEAR (hypot (corners[i].x - 100, corners[i].y - 90), 60, 0.5 + 2 * fineness[k]);
    ss_free (corners);
  }
  paint (ring, RED); /* its hole is filled */
  trace (100, 50, 0.3, 1, &corners, &area);
  SS_CHECK_NEAR (area, PI * 3600, 2 * PI * 60 * 0.5);
  ss_free (corners);
}

/* Sides along pixels: six corners, where they are. */
static void
test_l (void)
{
  static const SsVec2 expected[] = {{20, 30}, {60, 30}, {60, 140}, {160, 140}, {160, 180}, {20, 180}};
  SsVec2 *corners;
  double area;

  paint (l_shape, RED);
  SS_CHECK (trace (30, 100, 0.1, 1, &corners, &area) == 6);
  SS_CHECK_NEAR (area, 40 * 150 + 100 * 40, 1e-9);
  for (int i = 0; i < 6; i++) {
    double nearest = INFINITY;
    for (int k = 0; k < 6; k++)
      nearest = fmin (nearest, hypot (corners[i].x - expected[k].x, corners[i].y - expected[k].y));
    SS_CHECK_NEAR (nearest, 0, 1e-9);
  }
  ss_free (corners);
}

static void
test_others (void)
{
  SsVec2 *corners;
  double area;

  paint (diamond, RED);
  SS_CHECK (trace (100, 100, 0.4, 1, &corners, &area) == 4);
  SS_CHECK_NEAR (area, 10000, 400 * 0.25); /* a quarter of a pixel along its sides */
  ss_free (corners);
  paint (two_squares, RED); /* one of them alone */
  SS_CHECK (trace (30, 30, 0.1, 1, &corners, &area) == 4);
  SS_CHECK_NEAR (area, 1600, 1e-9);
  ss_free (corners);
  paint (whole, RED);
  SS_CHECK (trace (0, 0, 0, 1, &corners, &area) == 4);
  SS_CHECK_NEAR (area, SIZE * SIZE, 1e-9);
  ss_free (corners);
}

static void
test_refused (void)
{
  SsError err = {0};
  SsVec2 *corners;
  int n;

  paint (disc, RED);
  SS_CHECK (ss_trace_region (&image, SIZE, 3, 0.1, 1, &corners, &n, &err) == SS_ERR_INVALID);
  SS_CHECK_STR (err.message, "the picture of 200 x 200 pixels has no pixel 200, 3");
  memset (canvas + 4 * (SIZE * 90 + 100), 0, 3); /* one pixel of another colour */
  SS_CHECK (ss_trace_region (&image, 100, 90, 0.1, 1, &corners, &n, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "the region there is smaller than 9 pixels");
  for (int y = 50; y < 150; y++) /* a comb of which each tooth has teeth: more corners than allowed */
    for (int x = 0; x < SIZE; x++)
      memset (canvas + 4 * (SIZE * y + x), y % 4 == 0 || x == 0 || (y % 4 == 1 && x % 2 == 1) ? 0 : 255, 3);
  SS_CHECK (ss_trace_region (&image, 0, 60, 0.1, 0.2, &corners, &n, &err) == SS_ERR_INVALID);
  SS_CHECK_CONTAINS (err.message, "more than 1000");
  for (int y = 50; y < 150; y++) /* every second row, and a column that holds them: a comb */
    for (int x = 0; x < SIZE; x++)
      memset (canvas + 4 * (SIZE * y + x), y % 2 == 0 || x == 0 ? 0 : 255, 3);
  SS_CHECK (ss_trace_region (&image, 0, 60, 0.1, 0.2, &corners, &n, &err) == SS_OK && n > 190);
  ss_free (corners);
  SsStatus status = SS_ERR_MEMORY;
  int k = 0;
  while (status == SS_ERR_MEMORY && k < 100) {
    ss_alloc_fail_at ((uint64_t)++k);
    status = ss_trace_region (&image, 0, 60, 0.1, 1, &corners, &n, NULL);
    ss_alloc_fail_at (0);
    ss_free (corners);
  }
  SS_CHECK (status == SS_OK && k > 5);
}

int
main (void)
{
  SS_RUN (test_disc);
  SS_RUN (test_l);
  SS_RUN (test_others);
  SS_RUN (test_refused);
  return ss_test_finish ();
}
