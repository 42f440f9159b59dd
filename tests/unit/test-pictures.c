/* tests/unit/test-pictures.c: pictures of marks seen otherwise are the same picture: moved over the paper, turned by a
 * quarter or half, in a mirror, their list in another order; signs that are symmetric look so; what is drawn can be
 * picked there.
 *
 * Nothing is compared with a stored picture: two that the program draws agree, or a place is computed here. */
#include "app/draw/ssapp-impact-mode.h"
#include "tests/ss-test-picture.h"

enum { MARKS_MAX = 80 };

/* ---- marks ------------------------------------------------------------------------------------------------------- */

typedef struct {
  SsMark marks[MARKS_MAX];
  SsVec2 vertices[MARKS_MAX][8];
  int n;
  SsappSceneFlags flags;
  const char *selected;
} Marks;

static const SsappCamera middle = {.scale = 60,
                                   .ox = SS_PICTURE_SIDE / 2.,
                                   .oy = SS_PICTURE_SIDE / 2.,
                                   .width = SS_PICTURE_SIDE,
                                   .height = SS_PICTURE_SIDE};

static SsappCamera
moved_camera (double dx, double dy)
{
  SsappCamera camera = middle;
  camera.ox += dx;
  camera.oy += dy;
  return camera;
}

static SsMark *
add (Marks *self, SsMarkKind kind, SsMarkRole role, double x, double y, double angle)
{
  SsMark *mark = &self->marks[self->n++];
  SS_CHECK (self->n <= MARKS_MAX);
  *mark = (SsMark){.kind = kind,
                   .role = role,
                   .name = "",
                   .color = self->n % 2 ? "blue" : "brown",
                   .visible = true,
                   .position = {x, y},
                   .angle = angle,
                   .text = ""};
  return mark;
}

/* Corners in the mark's frame. */
static void
add_vertices (Marks *self, const SsVec2 *vertices, int n)
{
  memcpy (self->vertices[self->n - 1], vertices, (gsize)n * sizeof *vertices);
  self->marks[self->n - 1].n_vertices = n;
}

static const SsVec2 wedge[4] = {{-0.5, -0.3}, {0.6, -0.2}, {0.3, 0.4}, {-0.35, 0.25}},
                    rod[2] = {{-0.35, -0.1}, {0.4, 0.15}}, line[4] = {{0.1, 0}, {0.7, 0.2}, {0.9, -0.3}, {1.3, -0.1}};

/* Bodies, points, lines and arrows off every symmetry, apart from each other. */
static Marks
many_marks (gboolean has_fixed, gboolean has_one_handed)
{
  Marks m = {0};

  add (&m, SS_MARK_POLYGON, SS_ROLE_BODY, -1.3, 1.1, 0.4);
  add_vertices (&m, wedge, 4);
  add (&m, SS_MARK_CIRCLE, SS_ROLE_BODY, 0.2, 1.4, 0.9)->radius = 0.35;
  add (&m, SS_MARK_CAPSULE, SS_ROLE_BODY, 1.4, 0.9, -0.7)->radius = 0.15;
  add_vertices (&m, rod, 2);
  add (&m, SS_MARK_POINT, SS_ROLE_CONTACT, -0.4, 0.6, 0)->vector = (SsVec2){0.3, 0.8};
  add (&m, SS_MARK_POINT, SS_ROLE_BODY, 0.5, 0.5, 0);
  add (&m, SS_MARK_ARROW, SS_ROLE_FORCE, 0.9, 0.1, 0)->vector = (SsVec2){2, 5};
  add (&m, SS_MARK_ARROW, SS_ROLE_CONTACT, -1.6, -0.2, 0)->vector = (SsVec2){4, -2};
  add (&m, SS_MARK_ARROW, SS_ROLE_VELOCITY, -0.6, -0.5, 0)->vector = (SsVec2){-0.4, -0.9};
  add (&m, SS_MARK_SEGMENT, SS_ROLE_BODY, 0.3, -0.6, 0)->vector = (SsVec2){0.8, -0.3};
  add (&m, SS_MARK_SEGMENT, SS_ROLE_GUIDE, -1.9, -1.1, 0)->vector = (SsVec2){0.7, 0.25};
  if (has_fixed) {
    add (&m, SS_MARK_POLYGON, SS_ROLE_FIXED, 1.2, -1.3, -0.3);
    add_vertices (&m, wedge, 4);
    add (&m, SS_MARK_CIRCLE, SS_ROLE_FIXED, -0.1, -1.5, 0)->radius = 0.3;
    add (&m, SS_MARK_HALF_PLANE, SS_ROLE_FIXED, -2.4, -2.2, 2.8);
  }
  if (has_one_handed) { /* what a mirror shows otherwise, as it should */
    add (&m, SS_MARK_POLYGON, SS_ROLE_GOAL, -1.2, -1.6, 0.2);
    add_vertices (&m, wedge, 4);
    add (&m, SS_MARK_POLYGON, SS_ROLE_GUIDE, 2.3, -0.9, 1.1);
    add_vertices (&m, wedge, 4);
    add (&m, SS_MARK_POINT, SS_ROLE_CENTRE, 0.2, 1.4, 0.9);
    add (&m, SS_MARK_SPRING, SS_ROLE_GUIDE, 1.5, -0.2, 0)->vector = (SsVec2){0.4, -0.9};
    add (&m, SS_MARK_GEAR, SS_ROLE_GUIDE, -2.4, 0.5, 0.6);
    add_vertices (&m, wedge, 4);
    add (&m, SS_MARK_ROPE, SS_ROLE_GUIDE, 1.3, 1.9, 0)->vector = (SsVec2){0.05, -0.3};
    add_vertices (&m, line, 4);
  }
  for (int i = 0; i < m.n; i++)
    m.marks[i].vertices = NULL; /* the array moves: set where they are painted */
  return m;
}

static void
paint_marks (cairo_t *cr, const void *what, double dx, double dy)
{
  const SsappCamera camera = moved_camera (dx, dy);
  const Marks *given = what;
  Marks m = *given;

  for (int i = 0; i < m.n; i++)
    m.marks[i].vertices = m.vertices[i];
  ssapp_draw_marks (cr, &ss_picture_style, &camera, m.marks, m.n, &m.flags);
}

/* Every mark as the other one sees it; of polygons the corners go on turning to the left. */
static Marks
seen_marks (const Marks *from, SsPictureSeen seen)
{
  Marks m = *from;
  const double turn = seen == SS_PICTURE_HALF      ? G_PI
                      : seen == SS_PICTURE_QUARTER ? G_PI_2
                                                   : 0,
               c = round (cos (turn)), s = round (sin (turn));

  for (int i = 0; i < m.n; i++) {
    SsMark *mark = &m.marks[i];
    const SsVec2 p = mark->position, v = mark->vector;
    const gboolean is_rope = mark->kind == SS_MARK_ROPE; /* has no angle */
    if (seen == SS_PICTURE_MIRROR) {
      mark->position.x = -p.x;
      mark->vector.x = -v.x;
      mark->angle = -mark->angle;
      for (int k = 0; k < mark->n_vertices; k++) {
        const SsVec2 w = from->vertices[i][mark->n_vertices - 1 - k];
        m.vertices[i][k] = (SsVec2){-w.x, w.y};
      }
      continue;
    }
    mark->position = (SsVec2){c * p.x - s * p.y, s * p.x + c * p.y};
    mark->angle += is_rope ? 0 : turn;
    mark->vector = (SsVec2){c * v.x - s * v.y, s * v.x + c * v.y};
    for (int k = 0; is_rope && k < mark->n_vertices; k++) {
      const SsVec2 w = from->vertices[i][k];
      m.vertices[i][k] = (SsVec2){c * w.x - s * w.y, s * w.x + c * w.y};
    }
  }
  return m;
}

static void
check_seen (const char *name, const Marks *marks, SsPictureSeen seen)
{
  const Marks other = seen_marks (marks, seen);
  cairo_surface_t *a = ss_picture_of (paint_marks, marks, 0, 0), *b = ss_picture_of (paint_marks, &other, 0, 0);

  ss_picture_check_alike (name, a, b, seen, 0, SS_PICTURE_TURNED);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
}

static void
marks_turn_with_their_scene (void)
{
  const Marks plain = many_marks (FALSE, FALSE), all = many_marks (TRUE, TRUE);
  Marks turned = many_marks (FALSE, TRUE);

  check_seen ("marks", &plain, SS_PICTURE_MIRROR);
  check_seen ("marks", &plain, SS_PICTURE_QUARTER);
  /* flags stand upright, hatches lie as they lie */
  for (int i = 0; i < turned.n; i++)
    turned.marks[i].visible = turned.marks[i].role != SS_ROLE_GOAL;
  check_seen ("one-handed", &turned, SS_PICTURE_QUARTER);
  check_seen ("one-handed", &turned, SS_PICTURE_HALF);
  ss_picture_check_moves ("all marks", paint_marks, &all, 60);
}

/* Each is selected once. */
static void
selections_turn_with_their_marks (void)
{
  const Marks all = many_marks (TRUE, TRUE);

  for (int i = 0; i < all.n; i++) {
    Marks one = all;
    one.marks[i].name = "this";
    one.flags.selected = "this";
    one.flags.handles = TRUE;
    if (one.marks[i].role == SS_ROLE_CENTRE)
      continue;
    ss_picture_check_moves ("selected", paint_marks, &one, 60);
    for (int k = 0; k < one.n; k++)
      one.marks[k].visible = k == i && one.marks[k].role != SS_ROLE_GOAL && one.marks[k].role != SS_ROLE_FIXED;
    if (one.marks[i].visible) {
      check_seen ("selected", &one, SS_PICTURE_QUARTER);
      check_seen ("selected", &one, SS_PICTURE_HALF);
    }
  }
}

/* Names, values of measures and notes go with what they are of. */
static void
names_move_with_their_marks (void)
{
  static const char *const names[] = {"wedge", "disc", "rod", "a",     "b",    "",      "",
                                      "",      "",     "",    "block", "post", "floor", "goal"};
  Marks m = many_marks (TRUE, TRUE);
  SsMark *measure;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    m.marks[i].name = names[i];
  m.flags.labels = TRUE;
  measure = add (&m, SS_MARK_DISTANCE, SS_ROLE_GUIDE, -0.9, 0.3, 0);
  measure->vector = (SsVec2){0.4, -0.7};
  measure->value = 0.8;
  measure->name = "reach";
  measure = add (&m, SS_MARK_ANGLE, SS_ROLE_GUIDE, 0.6, -0.2, 0.3);
  measure->value = 1.2;
  measure->name = "lean";
  add (&m, SS_MARK_NOTE, SS_ROLE_GUIDE, -2, 1.9, 0)->text = "A note\nof two lines";
  ss_picture_check_moves ("names", paint_marks, &m, 60);
}

/* A name that has room in a turned or concave corner of nothing but its body: inside of it, wherever that lies. */
static void
names_lie_inside_of_large_bodies (void)
{
  static const SsVec2 large[4] = {{-1.2, -1.1}, {1.3, -0.9}, {1.1, 1.2}, {-1.3, 1}};
  const double places[][2] = {{0, 0}, {1.6, 1.3}, {-1.7, 1.1}, {-1.2, -1.5}, {1.5, -1.4}};

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    for (int k = 0; k < 8; k++) {
      Marks m = {0}, without;
      const double angle = 0.8 * k;
      int box[4];
      add (&m, SS_MARK_POLYGON, SS_ROLE_BODY, places[p][0], places[p][1], angle);
      add_vertices (&m, large, 4);
      without = m;
      m.marks[0].name = "name";
      m.flags.labels = TRUE;
      SS_CHECK (ss_picture_find_added (paint_marks, &without, &m, box));
      const double at[2] = {middle.ox + 60 * places[p][0], middle.oy - 60 * places[p][1]};
      SS_CHECK_NEAR ((box[0] + box[2] + 1) / 2., at[0], 2.5); /* its rim and the letters' own edges */
      SS_CHECK_NEAR ((box[1] + box[3] + 1) / 2., at[1], 4);
    }
}

/* Whatever order marks of one layer come in, where none is over another. */
static void
order_of_marks_changes_nothing (void)
{
  const Marks m = many_marks (TRUE, TRUE);
  Marks reversed = m;

  for (int i = 0; i < m.n; i++) {
    reversed.marks[i] = m.marks[m.n - 1 - i];
    memcpy (reversed.vertices[i], m.vertices[m.n - 1 - i], sizeof m.vertices[i]);
  }
  cairo_surface_t *a = ss_picture_of (paint_marks, &m, 0, 0),
                  *b = ss_picture_of (paint_marks, &reversed, SS_PICTURE_DX, SS_PICTURE_DY);
  ss_picture_check_alike ("reversed", a, b, SS_PICTURE_MOVED, 60, SS_PICTURE_EXACT);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
}

/* The surface of a tilted ground goes from edge to edge, with its matter to the right of its direction. */
static void
tilted_grounds_reach_across (void)
{
  const double places[][2] = {{0, 0}, {2, -1}, {-40, 30}};

  for (guint p = 0; p < G_N_ELEMENTS (places); p++)
    for (int k = 0; k < 12; k++) {
      const double angle = 0.3 + k * G_PI / 6, c = cos (angle), s = sin (angle);
      /* through a point near the middle, told by another point of the same line */
      const double along = places[p][0], x = 0.7 + along * c, y = 0.4 + along * s;
      Marks m = {0};
      int n_line = 0, n_matter = 0, n_air = 0, n = 0;
      add (&m, SS_MARK_HALF_PLANE, SS_ROLE_FIXED, x, y, angle);
      cairo_surface_t *surface = ss_picture_of (paint_marks, &m, 0, 0);
      for (int px = -600; px <= 600; px += 7) {
        const double at[2] = {middle.ox + 42 + px * c, middle.oy - 24 - px * s};
        const int depth = 9;
        if (at[0] < 20 || at[1] < 20 || at[0] > SS_PICTURE_SIDE - 20 || at[1] > SS_PICTURE_SIDE - 20)
          continue;
        n++;
        n_line += ss_picture_pixel (surface, (int)at[0], (int)at[1]) != 0xFFFFFF;
        n_matter += ss_picture_pixel (surface, (int)(at[0] + depth * s), (int)(at[1] + depth * c)) != 0xFFFFFF;
        n_air += ss_picture_pixel (surface, (int)(at[0] - depth * s), (int)(at[1] - depth * c)) == 0xFFFFFF;
      }
      SS_CHECK (n > 40 && n_line == n && n_matter == n && n_air == n);
      cairo_surface_destroy (surface);
    }
}

/* What is painted can be picked there, and what is picked was painted near: at every fifth pixel of every mark. */
static void
what_is_drawn_is_picked (void)
{
  const Marks all = many_marks (TRUE, TRUE);

  for (int i = 0; i < all.n; i++) {
    Marks one = all;
    const SsMarkKind kind = one.marks[i].kind;
    for (int k = 0; k < one.n; k++) {
      one.marks[k].vertices = one.vertices[k];
      one.marks[k].visible = k == i;
    }
    one.marks[i].name = "this";
    if (kind == SS_MARK_ARROW || kind == SS_MARK_HALF_PLANE || kind == SS_MARK_POINT || kind == SS_MARK_SPRING ||
        one.marks[i].role == SS_ROLE_GOAL)
      continue; /* picked by their places, as deep as there is ground, or with signs beside them */
    cairo_surface_t *surface = ss_picture_of (paint_marks, &one, 0, 0);
    int n_wrong = 0;
    for (int y = 60; y < SS_PICTURE_SIDE - 60; y += 5)
      for (int x = 60; x < SS_PICTURE_SIDE - 60; x += 5) {
        gboolean is_near = FALSE;
        for (int v = -4; v <= 4; v++)
          for (int u = -4; u <= 4; u++)
            is_near = is_near || ss_picture_pixel (surface, x + u, y + v) != 0xFFFFFF;
        const gboolean is_hit = ssapp_hit_test (&middle, one.marks, one.n, x + 0.5, y + 0.5, 3) == i;
        const gboolean is_on = ss_picture_pixel (surface, x, y) != 0xFFFFFF;
        n_wrong += (is_on && !is_hit) || (is_hit && !is_near && one.marks[i].role != SS_ROLE_GUIDE);
      }
    SS_CHECK (n_wrong == 0);
    if (n_wrong != 0)
      printf ("  mark %d of kind %d: %d places\n", i, kind, n_wrong);
    cairo_surface_destroy (surface);
  }
}

/* ---- signs ------------------------------------------------------------------------------------------------------- */

typedef struct {
  SsappMarker marker;
  SsappJointLook joint;
  gboolean is_joint;
} Sign;

static void
paint_sign (cairo_t *cr, const void *what, double dx, double dy)
{
  const Sign *sign = what;
  const SsappColor ink = {0.1, 0.1, 0.3, 1}, white = {1, 1, 1, 1};

  if (sign->is_joint)
    ssapp_joint_marker_draw (cr, &ss_picture_style, &sign->joint, SS_PICTURE_SIDE / 2. + dx, SS_PICTURE_SIDE / 2. + dy,
                             40);
  else
    ssapp_draw_marker (cr, sign->marker, SS_PICTURE_SIDE / 2. + dx, SS_PICTURE_SIDE / 2. + dy, 40, 3, ink, TRUE, white);
}

static void
check_signs (const Sign *a, const Sign *b, SsPictureSeen seen)
{
  cairo_surface_t *one = ss_picture_of (paint_sign, a, 0, 0), *two = ss_picture_of (paint_sign, b, 0, 0);

  ss_picture_check_alike (a->is_joint ? "joint" : "marker", one, two, seen, 0, SS_PICTURE_TURNED);
  cairo_surface_destroy (one);
  cairo_surface_destroy (two);
}

/* Left is right in a mirror, down is up, and all others are themselves. */
static void
signs_are_symmetric (void)
{
  const SsappColor ink = {0.1, 0.1, 0.3, 1};

  for (int m = 0; m < SSAPP_MARKER_COUNT; m++) {
    Sign sign = {.marker = (SsappMarker)m}, mirrored = sign, turned = sign;
    if (m == SSAPP_MARKER_LEFT || m == SSAPP_MARKER_RIGHT)
      mirrored.marker = m == SSAPP_MARKER_LEFT ? SSAPP_MARKER_RIGHT : SSAPP_MARKER_LEFT;
    if (m == SSAPP_MARKER_DOWN || m == SSAPP_MARKER_TRIANGLE)
      turned.marker = m == SSAPP_MARKER_DOWN ? SSAPP_MARKER_TRIANGLE : SSAPP_MARKER_DOWN;
    check_signs (&sign, &mirrored, SS_PICTURE_MIRROR);
    if (m != SSAPP_MARKER_STAR)
      check_signs (&sign, &turned, SS_PICTURE_UPSIDE_DOWN);
    ss_picture_check_moves ("marker", paint_sign, &sign, 60);
  }
  for (int shape = SSAPP_JOINT_CIRCLE; shape <= SSAPP_JOINT_STAR; shape++)
    for (int filling = SSAPP_JOINT_FULL; filling <= SSAPP_JOINT_LEFT_HALF; filling++) {
      const Sign sign = {.is_joint = TRUE, .joint = {ink, (SsappJointShape)shape, (SsappJointFilling)filling}};
      Sign mirrored = sign;
      if (shape == SSAPP_JOINT_LEFT || shape == SSAPP_JOINT_RIGHT)
        mirrored.joint.shape = shape == SSAPP_JOINT_LEFT ? SSAPP_JOINT_RIGHT : SSAPP_JOINT_LEFT;
      if (filling == SSAPP_JOINT_RIGHT_HALF || filling == SSAPP_JOINT_LEFT_HALF)
        mirrored.joint.filling = filling == SSAPP_JOINT_RIGHT_HALF ? SSAPP_JOINT_LEFT_HALF : SSAPP_JOINT_RIGHT_HALF;
      check_signs (&sign, &mirrored, SS_PICTURE_MIRROR);
      check_signs (&sign, &sign, SS_PICTURE_UPSIDE_DOWN);
    }
  /* to the right is more on the right: a point, or the filled half */
  for (int k = 0; k < 2; k++) {
    const Sign sign = {.is_joint = TRUE,
                       .joint = {ink, SSAPP_JOINT_CIRCLE, k == 0 ? SSAPP_JOINT_RIGHT_HALF : SSAPP_JOINT_LEFT_HALF}};
    cairo_surface_t *surface = ss_picture_of (paint_sign, &sign, 0, 0);
    SS_CHECK (ss_picture_difference (
                  ss_picture_pixel (surface, SS_PICTURE_SIDE / 2 + (k == 0 ? 20 : -20), SS_PICTURE_SIDE / 2),
                  0xFFFFFF) > 100);
    SS_CHECK (
        ss_picture_difference (
            ss_picture_pixel (surface, SS_PICTURE_SIDE / 2 - (k == 0 ? 20 : -20), SS_PICTURE_SIDE / 2), 0xFFFFFF) < 20);
    cairo_surface_destroy (surface);
  }
}

int
main (void)
{
  ssapp_style_init (&ss_picture_style, FALSE);
  SS_RUN (marks_turn_with_their_scene);
  SS_RUN (selections_turn_with_their_marks);
  SS_RUN (names_move_with_their_marks);
  SS_RUN (names_lie_inside_of_large_bodies);
  SS_RUN (order_of_marks_changes_nothing);
  SS_RUN (tilted_grounds_reach_across);
  SS_RUN (what_is_drawn_is_picked);
  SS_RUN (signs_are_symmetric);
  return ss_test_finish ();
}
