/* tests/unit/test-cut.c: bodies cut along a stroke. Truth: areas and moments of rectangles and of inscribed polygons,
 * sums by parallel axes, what hangs together by hand. */
#include "scene/ss-cut.h"

#include "core/ss-core.h"
#include "scene/ss-scene-private.h"
#include "tests/ss-test.h"

/* Sums of numbers of order one. */
static const double EXACT = 1e-12;
static const double PI = 3.14159265358979323846;

#define BOX(x0, y0, x1, y1)                                                                                            \
  {                                                                                                                    \
    .kind = SS_SHAPE_POLYGON, .n_vertices = 4, .vertices = (const SsVec2[])                                            \
    {                                                                                                                  \
      {x0, y0}, {x1, y0}, {x1, y1},                                                                                    \
      {                                                                                                                \
        x0, y1                                                                                                         \
      }                                                                                                                \
    }                                                                                                                  \
  }

static SsBody
body_of (const SsShape *shapes, int n)
{
  return (SsBody){.name = "body", .shape = shapes[0], .shapes = shapes, .n_shapes = n};
}

/* The cut that was asked for and its outcome; ss_cut_free. */
static SsCut
cut_along (const SsBody *body, double x0, double y0, double x1, double y1, SsCutOutcome outcome, int n_pieces)
{
  SsCut cut;
  SsError err = {0};

  SS_CHECK (ss_cut_body (body, (SsVec2){x0, y0}, (SsVec2){x1, y1}, &cut, &err) == SS_OK);
  SS_CHECK (cut.outcome == outcome);
  SS_CHECK (cut.n_pieces == n_pieces);
  return cut;
}

static void
check_piece (const SsCut *cut, int piece, double measure, double x, double y, double second)
{
  if (piece >= cut->n_pieces)
    return;
  SS_CHECK_NEAR (cut->pieces[piece].measure, measure, EXACT);
  SS_CHECK_NEAR (cut->pieces[piece].centroid.x, x, EXACT);
  SS_CHECK_NEAR (cut->pieces[piece].centroid.y, y, EXACT);
  SS_CHECK_NEAR (cut->pieces[piece].second, second, EXACT);
}

/* Measure, its first moments and the second about the origin are those of the whole. */
static void
check_sums (const SsCut *cut, const SsShape *shapes, int n, double tolerance)
{
  const SsMatter whole = ss_shapes_matter (shapes, n);
  double measure = 0, x = 0, y = 0, second = 0;

  for (int i = 0; i < cut->n_pieces; i++) {
    const SsCutPiece *piece = &cut->pieces[i];
    const SsVec2 c = piece->centroid;
    measure += piece->measure;
    x += piece->measure * c.x;
    y += piece->measure * c.y;
    second += piece->second + piece->measure * (c.x * c.x + c.y * c.y);
  }
  SS_CHECK_NEAR (measure, whole.measure, tolerance);
  SS_CHECK_NEAR (x, whole.measure * whole.centroid.x, tolerance);
  SS_CHECK_NEAR (y, whole.measure * whole.centroid.y, tolerance);
  SS_CHECK_NEAR (second, whole.second_about_origin, tolerance);
}

/* ---- one shape --------------------------------------------------------------------------------------------------- */

/* A box of 2 x 1, cut upright at 0.3 and aslant; turned and moved it is cut in the same places. */
static void
test_box (void)
{
  const SsShape box[] = {BOX (-1, -0.5, 1, 0.5)};
  SsBody body = body_of (box, 1);
  SsCut cut = cut_along (&body, 0.3, -2, 0.3, 2, SS_CUT_DONE, 2);

  check_piece (&cut, 0, 1.3, -0.35, 0, 1.3 * (1.3 * 1.3 + 1) / 12);
  check_piece (&cut, 1, 0.7, 0.65, 0, 0.7 * (0.7 * 0.7 + 1) / 12);
  SS_CHECK (!cut.has_arcs);
  ss_cut_free (&cut);
  cut = cut_along (&body, -3, -1.2, 2, 1, SS_CUT_DONE, 2);
  check_sums (&cut, box, 1, EXACT);
  ss_cut_free (&cut);
  body.q[0] = 3;
  body.q[1] = -1;
  body.q[2] = PI / 2;
  cut = cut_along (&body, 0, -0.7, 5, -0.7, SS_CUT_DONE, 2); /* 0.3 along the body's x, which looks up */
  check_piece (&cut, 0, 1.3, -0.35, 0, 1.3 * (1.3 * 1.3 + 1) / 12);
  ss_cut_free (&cut);
  cut = cut_along (&body, 0, -1, 5, -1, SS_CUT_DONE, 2); /* equal pieces: that on the left, above, is the first */
  check_piece (&cut, 0, 1, 0.5, 0, 1. / 6);
  ss_cut_free (&cut);
}

/* A disc is the polygon inscribed in it, a capsule as well; what is on the other side of a miss stays whole. */
static void
test_round (void)
{
  const double turn = 2 * PI / SS_CUT_ARC_EDGES, disc_area = SS_CUT_ARC_EDGES * 0.25 * sin (turn) / 2;
  const SsShape disc[] = {{.kind = SS_SHAPE_CIRCLE, .radius = 0.5, .centre = {1, 2}}},
                capsule[] = {{.kind = SS_SHAPE_CAPSULE,
                              .radius = 0.5,
                              .n_vertices = 2,
                              .vertices = (const SsVec2[]){{-1, 0}, {1, 0}}}},
                segment[] = {{.kind = SS_SHAPE_SEGMENT,
                              .n_vertices = 2,
                              .vertices = (const SsVec2[]){{-1, 0}, {2, 0}}}},
                slanted[] = {{.kind = SS_SHAPE_SEGMENT, .n_vertices = 2, .vertices = (const SsVec2[]){{1, 2}, {5, 5}}}};
  SsBody body = body_of (disc, 1);
  SsCut cut = cut_along (&body, -1, 2.1, 3, 2.2, SS_CUT_DONE, 2);

  SS_CHECK (cut.has_arcs);
  SS_CHECK_NEAR (cut.pieces[0].measure + cut.pieces[1].measure, disc_area, EXACT);
  SS_CHECK (disc_area > PI / 4 * (1 - 2.1e-3)); /* 1 - sin (2 pi / 56) / (2 pi / 56) */
  SS_CHECK (cut.shapes[0].shape.kind == SS_SHAPE_POLYGON && !cut.shapes[0].is_whole);
  ss_cut_free (&cut);
  body = body_of (capsule, 1);
  cut = cut_along (&body, 0.25, 1, 0.25, -1, SS_CUT_DONE, 2);
  SS_CHECK_NEAR (cut.pieces[0].measure, 1.25 + disc_area / 2, EXACT);
  SS_CHECK_NEAR (cut.pieces[1].measure, 0.75 + disc_area / 2, EXACT);
  SS_CHECK (cut.pieces[0].centroid.x < 0);
  ss_cut_free (&cut);
  body = body_of (segment, 1);
  cut = cut_along (&body, 1.5, 1, 1.5, -1, SS_CUT_DONE, 2);
  check_piece (&cut, 0, 2.5, 0.25, 0, 2.5 * 2.5 * 2.5 / 12);
  check_piece (&cut, 1, 0.5, 1.75, 0, 0.5 * 0.5 * 0.5 / 12);
  SS_CHECK (cut.shapes[0].shape.kind == SS_SHAPE_SEGMENT);
  ss_cut_free (&cut);
  /* 5 m from (1, 2) to (5, 5), cut at (2.6, 3.2), 2 m from its first end, by a stroke that is not square to it */
  body = body_of (slanted, 1);
  cut = cut_along (&body, 2.6, 9, 2.6, -9, SS_CUT_DONE, 2);
  const int first = cut.n_pieces == 2 && cut.pieces[0].measure < cut.pieces[1].measure ? 0 : 1;
  check_piece (&cut, first, 2, 1.8, 2.6, 2. * 2 * 2 / 12);
  check_piece (&cut, 1 - first, 3, 3.8, 4.1, 3. * 3 * 3 / 12);
  ss_cut_free (&cut);
}

/* Polygons of 3 to 64 corners on an ellipse, cut at random and through two of their corners: pieces add up, are convex,
 * and have no edge that the reader refuses. */
static void
test_random (void)
{
  SsRandom state;

  ss_random_seed (&state, 5);

  for (int trial = 0; trial < 3000; trial++) {
    const int n = 3 + (int)(62 * ss_random_uniform (&state)), i = (int)(n * ss_random_uniform (&state)),
              k = (i + 1 + (int)((n - 1) * ss_random_uniform (&state))) % n;
    const double slim = 0.02 + ss_random_uniform (&state);
    SsVec2 corners[64], from, to;
    for (int c = 0; c < n; c++) {
      const double angle = 2 * PI * (c + 0.9 * ss_random_uniform (&state)) / n;
      corners[c] = (SsVec2){cos (angle), slim * sin (angle)};
    }
    const SsShape shape[] = {{.kind = SS_SHAPE_POLYGON, .n_vertices = n, .vertices = corners}};
    const SsBody body = body_of (shape, 1);
    from =
        trial % 3 == 0 ? corners[i] : (SsVec2){2 * ss_random_uniform (&state) - 1, 2 * ss_random_uniform (&state) - 1};
    to = trial % 3 < 2 ? corners[k] : (SsVec2){2 * ss_random_uniform (&state) - 1, 2 * ss_random_uniform (&state) - 1};
    const SsVec2 d = {10 * (to.x - from.x), 10 * (to.y - from.y)};
    const double reach = 30 / hypot (d.x, d.y);
    SsCut cut;
    SsError err = {0};
    const SsStatus status = ss_cut_body (&body, (SsVec2){from.x - reach * d.x, from.y - reach * d.y},
                                         (SsVec2){to.x + reach * d.x, to.y + reach * d.y}, &cut, &err);
    SS_CHECK (status == SS_OK || (status == SS_ERR_INVALID && n == SS_POLYGON_MAX));
    SS_CHECK (cut.outcome == SS_CUT_DONE || cut.outcome == SS_CUT_MISSES);
    if (cut.outcome == SS_CUT_DONE)
      check_sums (&cut, shape, 1, EXACT);
    for (int p = 0; p < cut.n_shapes; p++) {
      const SsVec2 *v = cut.shapes[p].shape.vertices;
      const int m = cut.shapes[p].shape.n_vertices;
      for (int c = 0; c < m; c++) {
        const SsVec2 a = v[c], b = v[(c + 1) % m], e = v[(c + 2) % m];
        SS_CHECK ((b.x - a.x) * (e.y - b.y) - (b.y - a.y) * (e.x - b.x) > -1e-15);
        SS_CHECK (hypot (b.x - a.x, b.y - a.y) > 2e-6);
      }
    }
    ss_cut_free (&cut);
  }
}

/* ---- several shapes ---------------------------------------------------------------------------------------------- */

/* A U of 3 x 3: its base is 1 high, its arms are 1 wide and 2 high. */
static const SsShape u[] = {BOX (0, 0, 3, 1), BOX (0, 1, 1, 3), BOX (2, 1, 3, 3)};

static void
test_u (void)
{
  const SsBody body = body_of (u, 3);
  SsCut cut = cut_along (&body, -1, 2, 4, 2, SS_CUT_DONE, 3); /* both arms */

  check_piece (&cut, 0, 5, 1.5, 0.9, 2.5 + 3 * 0.16 + 2 * (1. / 6 + 1.36));
  check_piece (&cut, 1, 1, 0.5, 2.5, 1. / 6);
  check_piece (&cut, 2, 1, 2.5, 2.5, 1. / 6);
  check_sums (&cut, u, 3, EXACT);
  ss_cut_free (&cut);
  cut = cut_along (&body, 1.5, 2, 4, 2, SS_CUT_DONE, 2); /* one of them: the stroke begins between the arms */
  check_piece (&cut, 1, 1, 2.5, 2.5, 1. / 6);
  ss_cut_free (&cut);
  cut = cut_along (&body, -1, 1, 4, 1, SS_CUT_DONE, 3); /* along the seams: nothing is cut, three parts hang no more */
  check_piece (&cut, 0, 3, 1.5, 0.5, 3 * 10. / 12);
  SS_CHECK (cut.shapes[0].is_whole && cut.shapes[1].is_whole && cut.shapes[2].is_whole);
  ss_cut_free (&cut);
  cut = cut_along (&body, 0.5, -1, 0.5, 4, SS_CUT_DONE, 2); /* upright through the base and one arm */
  check_piece (&cut, 1, 1.5, 0.25, 1.5, 1.5 * (0.25 + 9) / 12);
  ss_cut_free (&cut);
  cut = cut_along (&body, -1, 2, 0.5, 2, SS_CUT_ENDS_INSIDE, 0);
  cut = cut_along (&body, 0.5, 2, 4, 2, SS_CUT_ENDS_INSIDE, 0);
  cut = cut_along (&body, 0.2, 0.2, 0.8, 0.8, SS_CUT_ENDS_INSIDE, 0);
  cut = cut_along (&body, -1, 4, 4, 4, SS_CUT_MISSES, 0);
  cut = cut_along (&body, 1.2, 2, 1.8, 2, SS_CUT_MISSES, 0); /* between the arms */
  cut = cut_along (&body, -1, 3, 4, 3, SS_CUT_MISSES, 0);    /* along its upper edges */
  cut = cut_along (&body, 1, 1, 1, 1, SS_CUT_MISSES, 0);     /* no stroke */
}

/* A ring hangs together around one cut and falls in two by the second; two boxes that are apart part by sides; the
 * ground has no end. */
static void
test_others (void)
{
  const SsShape ring[] = {BOX (0, 0, 3, 1), BOX (0, 1, 1, 2), BOX (2, 1, 3, 2), BOX (0, 2, 3, 3)},
                apart[] = {BOX (0, 0, 1, 1), BOX (2, 0, 3, 1)},
                ground[] = {{.kind = SS_SHAPE_HALF_PLANE, .normal = {0, 1}}},
                bow[] = {{.kind = SS_SHAPE_SEGMENT, .n_vertices = 2, .vertices = (const SsVec2[]){{-2, 0}, {0, 0}}},
                         BOX (0, -1, 2, 1)};
  SsBody body = body_of (ring, 4);
  SsCut cut = cut_along (&body, -1, 1.5, 1.5, 1.5, SS_CUT_PARTS_NOTHING, 0);

  cut = cut_along (&body, -1, 1.5, 4, 1.5, SS_CUT_DONE, 2);
  check_sums (&cut, ring, 4, EXACT);
  ss_cut_free (&cut);
  body = body_of (apart, 2);
  cut = cut_along (&body, -1, 0.4, 4, 0.4, SS_CUT_DONE, 2);
  check_piece (&cut, 0, 1.2, 1.5, 0.7, 2 * 0.6 * (1 + 0.36) / 12 + 1.2);
  ss_cut_free (&cut);
  body = body_of (ground, 1);
  cut = cut_along (&body, -1, 1, 1, -1, SS_CUT_MISSES, 0);
  body = body_of (bow, 2); /* beside an area a line weighs nothing */
  cut = cut_along (&body, -1, 1, -1, -1, SS_CUT_DONE, 2);
  check_piece (&cut, 0, 4, 1, 0, 4 * 8. / 12);
  check_piece (&cut, 1, 0, -1.5, 0, 0);
  ss_cut_free (&cut);
}

static void
test_memory (void)
{
  const SsBody body = body_of (u, 3);
  SsStatus status = SS_ERR_MEMORY;
  int n = 0;

  while (status == SS_ERR_MEMORY && n < 100) {
    SsCut cut;
    ss_alloc_fail_at ((uint64_t)++n);
    status = ss_cut_body (&body, (SsVec2){-1, 2}, (SsVec2){4, 2}, &cut, NULL);
    ss_alloc_fail_at (0);
    SS_CHECK (status == SS_OK || (status == SS_ERR_MEMORY && cut.n_pieces == 0));
    ss_cut_free (&cut);
  }
  SS_CHECK (status == SS_OK && n > 5);
}

int
main (void)
{
  SS_RUN (test_box);
  SS_RUN (test_round);
  SS_RUN (test_random);
  SS_RUN (test_u);
  SS_RUN (test_others);
  SS_RUN (test_memory);
  return ss_test_finish ();
}
