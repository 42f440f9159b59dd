/* app/bench/ssapp-bench-task-kinds.c: the kinds of tasks, each a function that draws one. */
#include "app/bench/ssapp-bench-tasks-private.h"
#include "app/bench/ssapp-bench-common.h"

#include <math.h>
#include <string.h>

enum { MAX_GLIDES = 6 };

static const char *const policy_names[] = {"glides", "waves", "relays", "speed"};
/* Waves [m], [rad/s], [-]; the force of a relay over the body's mass [m/s2]; of a way's time that is left of it. */
enum { N_WAVES = 3 };
static const double WAVE_MOST = 0.012, WAVE_SLOWEST = 4, WAVE_FASTEST = 14, DAMPED_LEAST = 0.35, DAMPED_MOST = 0.7,
                    RELAY_LEAST = 6, RELAY_MOST = 14, RELAY_TIME = 0.15;

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static double
between (SsappTaskDraft *d, double lo, double hi)
{
  return ss_random_between (&d->random, lo, hi);
}

static gboolean
chance (SsappTaskDraft *d, double p)
{
  return ss_random_uniform (&d->random) < p;
}

/* Takes the shape. mass 0: fixed. */
static json_t *
add_body (SsappTaskDraft *d, const char *name, json_t *shape, double mass, double x, double y)
{
  json_t *body = json_pack ("{s:s, s:o, s:[f,f]}", "name", name, "shape", shape, "position", x, y);

  if (mass > 0)
    json_object_set_new (body, "mass", json_real (mass));
  else
    json_object_set_new (body, "fixed", json_true ());
  json_array_append_new (d->bodies, body);
  return body;
}

static void
add_floor (SsappTaskDraft *d)
{
  json_t *shape = json_pack ("{s:s, s:[f,f]}", "type", "half-plane", "normal", 0.0, 1.0);

  json_array_append_new (d->bodies, json_pack ("{s:s, s:b, s:o}", "name", "floor", "fixed", 1, "shape", shape));
}

static void
lock_angle (json_t *body)
{
  json_object_set_new (body, "lock", json_pack ("[s]", "theta"));
}

/* A formula in which each # is the next number. */
static char *
formula (const char *text, const double *numbers)
{
  GString *out = g_string_new (NULL);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  for (const char *c = text; *c != '\0'; c++)
    if (*c == '#')
      g_string_append_printf (out, "(%s)", g_ascii_dtostr (number, sizeof number, *numbers++));
    else
      g_string_append_c (out, *c);
  return g_string_free (out, FALSE);
}

/* A way in smooth glides: from `start`, by[i] between the times from[i] and from[i] + takes[i]. */
typedef struct {
  double start;
  int n;
  struct {
    double by, from, takes;
  } glide[MAX_GLIDES];
} Way;

static char *
way_formula (const Way *way)
{
  GString *out = g_string_new (NULL);
  g_autofree char *start = formula ("#", &way->start);

  g_string_append (out, start);
  for (int i = 0; i < way->n; i++) {
    const double numbers[] = {way->glide[i].by, way->glide[i].from, way->glide[i].takes, way->glide[i].from,
                              way->glide[i].takes};
    g_autofree char *glide = formula (" + #*min(max((t - #)/#, 0), 1)^2*(3 - 2*min(max((t - #)/#, 0), 1))", numbers);

    g_string_append (out, glide);
  }
  return g_string_free (out, FALSE);
}

/* Takes the formula. */
static void
add_actuator (SsappTaskDraft *d, json_t *actuator, char *text)
{
  json_array_append_new (d->actuators, actuator);
  json_array_append_new (d->formulas, json_string (text));
  g_free (text);
}

/* Place on the way, by the draft's policy. */
static char *
place_formula (SsappTaskDraft *d, const Way *way)
{
  Way own = *way;
  GString *out;

  for (int i = 0; i < own.n && d->policy == RELAYS; i++)
    own.glide[i].takes *= RELAY_TIME;
  g_autofree char *text = way_formula (&own);
  out = g_string_new (text);
  for (int i = 0; i < N_WAVES && d->policy == WAVES; i++) {
    const double phase = between (d, -3, 3);
    const double numbers[] = {between (d, -WAVE_MOST, WAVE_MOST), between (d, WAVE_SLOWEST, WAVE_FASTEST), phase,
                              sin (phase)};
    g_autofree char *wave = formula (" + #*(sin(#*t + #) - #)", numbers);

    g_string_append (out, wave);
  }
  return g_string_free (out, FALSE);
}

/* A force along an axis of the world that moves the body on its way. stiffness [1/s^2], times `mass` [kg]. */
static void
drive (SsappTaskDraft *d, const char *body, gboolean is_x, double mass, double stiffness, double weight, const Way *way)
{
  const double damping = d->policy == WAVES ? between (d, DAMPED_LEAST, DAMPED_MOST) : 1;
  const double most = d->policy == RELAYS ? mass * between (d, RELAY_LEAST, RELAY_MOST) : 1;
  const double numbers[] = {most, mass * stiffness / most, mass * 2 * damping * sqrt (stiffness) / most, weight};
  g_autofree char *place = place_formula (d, way);
  g_autofree char *template = g_strdup_printf (d->policy == RELAYS ? "#*min(max(#*(%s - %s.%s) - #*%s.%s, -1), 1) + #"
                                                                   : "#*(#*(%s - %s.%s) - #*%s.%s) + #",
                                               "@", body, is_x ? "x" : "y", body, is_x ? "vx" : "vy");
  g_autofree char *name = g_strdup_printf ("%s_%s", body, is_x ? "fx" : "fy");
  char **parts = g_strsplit (template, "@", 2);
  g_autofree char *first = formula (parts[0], numbers), *last = formula (parts[1], numbers + 2);

  add_actuator (d,
                json_pack ("{s:s, s:s, s:s, s:[f,f]}", "name", name, "type", "force", "body", body, "direction",
                           is_x ? 1.0 : 0.0, is_x ? 0.0 : 1.0),
                g_strconcat (first, "(", place, ")", last, NULL));
  g_strfreev (parts);
}

static Way
stay (double start)
{
  return (Way){.start = start};
}

static Way
go (double start, double by, double from, double takes)
{
  return (Way){.start = start, .n = 1, .glide = {{by, from, takes}}};
}

static void
then (Way *way, double by, double from, double takes)
{
  way->glide[way->n].by = by;
  way->glide[way->n].from = from;
  way->glide[way->n++].takes = takes;
}

static void
aim (SsappTaskDraft *d, const char *body, int what)
{
  json_array_append_new (d->targets, json_pack ("{s:s, s:i}", "body", body, "what", what));
}

/* A disc that two forces drive, turning locked. */
static void
add_finger (SsappTaskDraft *d, const char *name, double radius, double mass, double x, double y, const Way *way_x,
            const Way *way_y)
{
  lock_angle (add_body (d, name, ssapp_bench_disc (radius), mass, x, y));
  drive (d, name, TRUE, mass, 120, 0, way_x);
  drive (d, name, FALSE, mass, 120, mass * d->gravity, way_y);
}

static void
set_time (SsappTaskDraft *d, double lo, double hi, int steps_lo, int steps_hi)
{
  d->horizon = round (100 * between (d, lo, hi)) / 100;
  d->steps = steps_lo + (int)(ss_random_uniform (&d->random) * (steps_hi - steps_lo + 1));
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

/* n boxes in a row, pushed at the left end; clutter stands around. */
static void
draw_row (SsappTaskDraft *d, int n, gboolean has_clutter)
{
  static const char *const names[] = {"box", "second", "third"};
  const double gap = chance (d, 0.3) ? 0 : between (d, 0.01, 0.12);
  const double radius = between (d, 0.04, 0.1), mass = between (d, 0.3, 1);
  double x = 0, y = 0, way = gap;

  set_time (d, 1.2, 2.4, 30, 50);
  d->friction = between (d, 0.15, 0.6);
  add_floor (d);
  for (int i = 0; i < n; i++) {
    const double w = between (d, 0.15, 0.4), h = between (d, 0.15, 0.35), m = between (d, 0.3, 2);
    const double space = i > 0 ? between (d, 0, 0.15) : 0;

    x += (i > 0 ? w / 2 : 0) + space;
    way += space;
    if (i == 0) {
      x = 0;
      y = between (d, 0.35, 0.55) * h;
      way += between (d, 0.1, 0.5);
      const Way way_x =
          go (-w / 2 - gap - radius, way + 0.2 * n, between (d, 0, 0.15), between (d, 0.45, 0.65) * d->horizon);
      const Way way_y = stay (fmax (y, radius));

      add_body (d, names[i], ssapp_bench_box (w, h), m, x, h / 2);
      add_finger (d, "finger", radius, mass, way_x.start, way_y.start, &way_x, &way_y);
    } else
      add_body (d, names[i], ssapp_bench_box (w, h), m, x, h / 2);
    x += w / 2;
    aim (d, names[i], SSAPP_TASK_PLACE | SSAPP_TASK_ANGLE | SSAPP_TASK_REST);
  }
  if (has_clutter) {
    add_body (d, "shelf", ssapp_bench_box (between (d, 0.3, 0.8), 0.05), 0, between (d, 0.1, 0.8),
              between (d, 0.6, 0.9));
    add_body (d, "wall", ssapp_bench_box (0.1, 0.8), 0, -1.2, 0.4);
    add_body (d, "stone", ssapp_bench_disc (0.08), 1, x + between (d, 0.9, 1.4), 0.08);
    lock_angle (json_array_get (d->bodies, json_array_size (d->bodies) - 1));
    add_body (d, "step", ssapp_bench_box (0.3, 0.2), 0, x + 2, 0.1);
  }
}

static void
draw_push (SsappTaskDraft *d)
{
  draw_row (d, 1, FALSE);
}

static void
draw_clutter (SsappTaskDraft *d)
{
  draw_row (d, 1, TRUE);
}

static void
draw_row_of_two (SsappTaskDraft *d)
{
  draw_row (d, 2, FALSE);
}

static void
draw_row_of_three (SsappTaskDraft *d)
{
  draw_row (d, 3, FALSE);
}

static void
draw_kick (SsappTaskDraft *d)
{
  const double r = between (d, 0.05, 0.09), w = between (d, 0.15, 0.3), h = between (d, 0.12, 0.2),
               takes = between (d, 0.25, 0.4);
  const double gap = between (d, 0.02, 0.15), by = gap + between (d, 0.1, 0.25);
  Way way_x = go (-w / 2 - gap - r, by, 0.05, takes);
  const Way way_y = stay (fmax (r + 0.005, 0.4 * h));

  set_time (d, 1.2, 2, 35, 50);
  then (&way_x, -0.5 * by, 0.1 + takes, 0.4);
  d->friction = between (d, 0.08, 0.25);
  add_floor (d);
  add_body (d, "puck", ssapp_bench_box (w, h), between (d, 0.2, 0.8), 0, h / 2);
  add_finger (d, "bat", r, between (d, 0.4, 1.2), way_x.start, way_y.start, &way_x, &way_y);
  aim (d, "puck", SSAPP_TASK_PLACE | SSAPP_TASK_REST);
}

static void
draw_roll (SsappTaskDraft *d)
{
  const double r = between (d, 0.08, 0.2), w = 0.1, h = between (d, 0.2, 0.3), gap = between (d, 0, 0.1);
  const Way way_x = go (-r - gap - w / 2, gap + between (d, 0.2, 0.8), 0, between (d, 0.6, 0.9)),
            way_y = stay (0.01 + h / 2);
  const double m = between (d, 0.4, 1);

  set_time (d, 1, 1.6, 30, 45);
  d->friction = between (d, 0.2, 0.7);
  add_floor (d);
  add_body (d, "ball", ssapp_bench_disc (r), between (d, 0.2, 1), 0, r);
  lock_angle (add_body (d, "pusher", ssapp_bench_box (w, h), m, way_x.start, way_y.start));
  drive (d, "pusher", TRUE, m, 100, 0, &way_x);
  drive (d, "pusher", FALSE, m, 100, m * d->gravity, &way_y);
  aim (d, "ball", SSAPP_TASK_PLACE);
}

static void
draw_carry (SsappTaskDraft *d)
{
  const double w = between (d, 0.12, 0.3), h = between (d, 0.12, 0.3), m = between (d, 0.2, 0.8),
               r = between (d, 0.03, 0.06), gap = between (d, 0.005, 0.05), squeeze = between (d, 0.1, 0.16),
               dx = between (d, -0.3, 0.3), dy = between (d, 0.08, 0.35);
  const gboolean is_ball = chance (d, 0.4);
  const double half = is_ball ? h / 2 : w / 2;
  Way left = go (-half - gap - r, gap + squeeze, 0, 0.3), right = go (half + gap + r, -gap - squeeze, 0, 0.3);
  Way up = go (h / 2, dy, 0.4, 0.7);

  set_time (d, 1.3, 1.8, 35, 50);
  d->friction = between (d, 0.6, 1);
  then (&left, dx, 0.5, 0.7);
  then (&right, dx, 0.5, 0.7);
  add_floor (d);
  add_body (d, "load", is_ball ? ssapp_bench_disc (h / 2) : ssapp_bench_box (w, h), m, 0, h / 2);
  add_finger (d, "left", r, between (d, 0.3, 0.6), left.start, up.start, &left, &up);
  add_finger (d, "right", r, between (d, 0.3, 0.6), right.start, up.start, &right, &up);
  aim (d, "load", is_ball ? SSAPP_TASK_PLACE : SSAPP_TASK_PLACE | SSAPP_TASK_ANGLE);
}

/* A plate that carries, throws or catches. */
static void
add_plate (SsappTaskDraft *d, double mass, const Way *x, const Way *y)
{
  lock_angle (add_body (d, "plate", ssapp_bench_box (0.4, 0.05), mass, x->start, y->start));
  drive (d, "plate", TRUE, mass, 200, 0, x);
  drive (d, "plate", FALSE, mass, 200, mass * d->gravity, y);
}

static void
draw_throw (SsappTaskDraft *d)
{
  const double r = between (d, 0.05, 0.1), takes = between (d, 0.25, 0.35);
  Way x = go (0, between (d, -0.15, 0.15), 0.1, takes), y = go (0.3, between (d, 0.35, 0.55), 0.1, takes);

  set_time (d, 0.8, 1.1, 35, 50);
  then (&y, -0.2, 0.1 + 0.9 * takes, 0.3);
  d->friction = between (d, 0.3, 0.8);
  add_floor (d);
  add_body (d, "ball", ssapp_bench_disc (r), between (d, 0.1, 0.4), between (d, -0.05, 0.05), 0.3 + 0.025 + r);
  add_plate (d, between (d, 0.5, 1), &x, &y);
  aim (d, "ball", SSAPP_TASK_PLACE);
}

static void
draw_catch (SsappTaskDraft *d)
{
  const double r = between (d, 0.05, 0.1), vx = between (d, -0.5, 0.5), height = between (d, 0.4, 0.9),
               falls = sqrt (2 * height / 9.81);
  Way x = go (0, falls * vx, 0, falls * 0.9), y = go (0.35, -between (d, 0.1, 0.25), falls * 0.7, 0.45);
  json_t *ball;

  set_time (d, 1, 1.4, 35, 50);
  then (&x, 0.15 * vx, 0.9 * falls, 0.4);
  d->friction = between (d, 0.3, 0.9);
  add_floor (d);
  ball = add_body (d, "ball", ssapp_bench_disc (r), between (d, 0.1, 0.4), 0, 0.35 + 0.025 + r + height);
  json_object_set_new (ball, "velocity", json_pack ("[f,f]", vx, 0.0));
  add_plate (d, between (d, 0.5, 1), &x, &y);
  aim (d, "ball", SSAPP_TASK_PLACE | SSAPP_TASK_REST);
}

static void
draw_topple (SsappTaskDraft *d)
{
  const double w = between (d, 0.12, 0.2), h = between (d, 0.35, 0.6), r = between (d, 0.04, 0.07),
               gap = between (d, 0, 0.08);
  const Way way_x = go (-w / 2 - gap - r, gap + between (d, 0.2, 0.35), 0, between (d, 0.4, 0.7)),
            way_y = stay (between (d, 0.75, 0.9) * h);

  set_time (d, 1.2, 1.8, 35, 50);
  d->friction = between (d, 0.5, 0.9);
  add_floor (d);
  add_body (d, "tower", ssapp_bench_box (w, h), between (d, 0.5, 1.5), 0, h / 2);
  add_finger (d, "finger", r, between (d, 0.3, 0.8), way_x.start, way_y.start, &way_x, &way_y);
  aim (d, "tower", SSAPP_TASK_PLACE | SSAPP_TASK_ANGLE | SSAPP_TASK_REST);
}

/* A driven wheel over a ramp and onto a block. */
static void
draw_climb (SsappTaskDraft *d)
{
  const double r = between (d, 0.1, 0.18), slope = between (d, 0.15, 0.4), m = between (d, 0.5, 1.5),
               speed = between (d, 4, 9) * r / 0.14;
  const double numbers[] = {2 * m * r * r, speed};
  json_t *ramp;

  set_time (d, 1.2, 1.8, 35, 50);
  d->friction = between (d, 0.7, 1.1);
  add_floor (d);
  add_body (d, "wheel", ssapp_bench_disc (r), m, 0, r);
  ramp = add_body (d, "ramp", ssapp_bench_box (2, 0.3), 0, 0, 0);
  {
    const double x0 = between (d, 0.2, 0.4); /* where its upper face leaves the floor */

    json_object_set_new (ramp, "position",
                         json_pack ("[f,f]", x0 + cos (slope) + 0.15 * sin (slope), sin (slope) - 0.15 * cos (slope)));
    json_object_set_new (ramp, "angle", json_real (slope));
  }
  add_actuator (d, json_pack ("{s:s, s:s, s:s}", "name", "motor", "type", "torque", "body", "wheel"),
                formula ("-#*10*(# + wheel.omega)", numbers));
  aim (d, "wheel", SSAPP_TASK_PLACE);
}

/* A finger of two links. kp, kd of each joint, from the angle a0 by `by`. */
static void
drive_joint (SsappTaskDraft *d, const char *joint, const char *angle, const char *rate, double stiffness,
             double damping, const Way *way)
{
  g_autofree char *place = way_formula (way);
  const double numbers[] = {stiffness, damping};
  g_autofree char *first = formula ("#*(", numbers), *second = formula (") - #*(", numbers + 1);
  g_autofree char *name = g_strconcat (joint, "_motor", NULL);

  add_actuator (d, json_pack ("{s:s, s:s, s:s}", "name", name, "type", "joint", "joint", joint),
                g_strconcat (first, place, " - (", angle, ")", second, rate, ")", NULL));
}

static void
add_link (SsappTaskDraft *d, const char *name, double length, double mass, double x, double y, double angle)
{
  json_t *shape = json_pack ("{s:s, s:[f,f], s:[f,f], s:f}", "type", "capsule", "from", -length / 2, 0.0, "to",
                             length / 2, 0.0, "radius", 0.02);

  json_object_set_new (add_body (d, name, shape, mass, x, y), "angle", json_real (angle));
}

static void
draw_arm (SsappTaskDraft *d)
{
  const double l = between (d, 0.3, 0.4), a1 = -G_PI * between (d, 0.62, 0.72), a2 = -G_PI * between (d, 0.42, 0.55);
  const double x1 = l * cos (a1), y1 = l * sin (a1), x2 = l * cos (a2), y2 = l * sin (a2);
  const double hx = 0, hy = 0.06 + between (d, 0, 0.05) - y1 - y2, w = between (d, 0.12, 0.25),
               h = between (d, 0.15, 0.25);
  const double gap = between (d, 0.01, 0.06), turn = between (d, 0.25, 0.6), takes = between (d, 0.5, 0.8);
  const Way shoulder = go (a1, turn, 0, takes), elbow = go (a2 - a1, between (d, -0.1, 0.1), 0, takes);

  set_time (d, 1.1, 1.5, 35, 45);
  d->friction = between (d, 0.2, 0.6);
  add_floor (d);
  add_body (d, "box", ssapp_bench_box (w, h), between (d, 0.2, 0.8), hx + x1 + fmax (0, x2) + 0.02 + gap + w / 2,
            h / 2);
  add_link (d, "upper", l, 0.3, hx + x1 / 2, hy + y1 / 2, a1);
  add_link (d, "lower", l, 0.2, hx + x1 + x2 / 2, hy + y1 + y2 / 2, a2);
  json_array_append_new (d->joints, json_pack ("{s:s, s:s, s:[s,s], s:[f,f]}", "name", "shoulder", "type", "pin",
                                               "bodies", "world", "upper", "anchor", hx, hy));
  json_array_append_new (d->joints, json_pack ("{s:s, s:s, s:[s,s], s:[f,f]}", "name", "elbow", "type", "pin", "bodies",
                                               "upper", "lower", "anchor", hx + x1, hy + y1));
  drive_joint (d, "shoulder", "upper.theta", "upper.omega", 15, 1, &shoulder);
  drive_joint (d, "elbow", "lower.theta - upper.theta", "lower.omega - upper.omega", 2.5, 0.12, &elbow);
  aim (d, "box", SSAPP_TASK_PLACE | SSAPP_TASK_ANGLE | SSAPP_TASK_REST);
}

/* A box on a box, whose lower one is pushed. */
static void
draw_stack (SsappTaskDraft *d)
{
  const double w1 = between (d, 0.25, 0.4), h1 = between (d, 0.15, 0.25), w2 = between (d, 0.12, 0.2),
               h2 = between (d, 0.1, 0.2), r = between (d, 0.04, 0.07);
  const double gap = chance (d, 0.4) ? 0 : between (d, 0.01, 0.08);
  const Way way_x = go (-w1 / 2 - gap - r, gap + between (d, 0.15, 0.4), 0, between (d, 0.6, 1)),
            way_y = stay (fmax (r, between (d, 0.35, 0.5) * h1));

  set_time (d, 1.2, 1.8, 30, 45);
  d->friction = between (d, 0.25, 0.7);
  add_floor (d);
  add_body (d, "lower", ssapp_bench_box (w1, h1), between (d, 0.5, 1.5), 0, h1 / 2);
  add_body (d, "upper", ssapp_bench_box (w2, h2), between (d, 0.2, 0.8), between (d, -0.06, 0.06), h1 + h2 / 2);
  add_finger (d, "finger", r, between (d, 0.4, 0.8), way_x.start, way_y.start, &way_x, &way_y);
  aim (d, "lower", SSAPP_TASK_PLACE | SSAPP_TASK_ANGLE | SSAPP_TASK_REST);
  aim (d, "upper", SSAPP_TASK_PLACE | SSAPP_TASK_ANGLE | SSAPP_TASK_REST);
}

/* A finger presses from above and drags by friction. */
static void
draw_drag (SsappTaskDraft *d)
{
  const double w = between (d, 0.3, 0.5), h = between (d, 0.06, 0.12), r = between (d, 0.04, 0.07),
               gap = between (d, 0, 0.06);
  Way way_x = go (0, between (d, -1, 1) > 0 ? between (d, 0.15, 0.35) : -between (d, 0.15, 0.35), 0.35, 0.7),
      way_y = go (h + gap + r, -gap - between (d, 0.08, 0.14), 0, 0.3);

  set_time (d, 1.2, 1.6, 35, 45);
  d->friction = 0.8;
  then (&way_y, 0.3, 1.05, 0.3);
  add_floor (d);
  add_body (d, "box", ssapp_bench_box (w, h), between (d, 0.15, 0.4), 0, h / 2);
  add_finger (d, "finger", r, between (d, 0.5, 1), 0, way_y.start, &way_x, &way_y);
  aim (d, "box", SSAPP_TASK_PLACE | SSAPP_TASK_ANGLE | SSAPP_TASK_REST);
}

/* A door on a hinge, seen from above. */
static void
draw_door (SsappTaskDraft *d)
{
  const double l = between (d, 0.5, 0.9), r = between (d, 0.05, 0.1), gap = between (d, 0.02, 0.15),
               at = between (d, 0.55, 0.9) * l;
  const Way way_x = stay (at), way_y = go (-0.03 - gap - r, gap + between (d, 0.15, 0.4), 0, between (d, 0.5, 0.8));

  set_time (d, 1, 1.5, 30, 45);
  d->gravity = 0;
  d->friction = between (d, 0, 0.5);
  add_body (d, "door", ssapp_bench_box (l, 0.06), between (d, 1, 3), l / 2, 0);
  add_body (d, "post", ssapp_bench_box (0.1, 0.1), 0, -0.1, 0);
  add_finger (d, "finger", r, between (d, 0.4, 1), way_x.start, way_y.start, &way_x, &way_y);
  json_array_append_new (d->joints, json_pack ("{s:s, s:s, s:[s,s], s:[f,f]}", "name", "hinge", "type", "pin", "bodies",
                                               "world", "door", "anchor", 0.0, 0.0));
  json_array_append_new (d->springs, json_pack ("{s:s, s:s, s:[s,s], s:f, s:f, s:f}", "name", "closer", "type",
                                                "torsion", "bodies", "world", "door", "stiffness", between (d, 0.2, 2),
                                                "damping", between (d, 0.5, 2), "rest", 0.0));
  aim (d, "door", SSAPP_TASK_ANGLE);
}

/* A platform on a slider lifts a box, which a shelf passes by. */
static void
draw_lift (SsappTaskDraft *d)
{
  const double m = between (d, 0.5, 1.5), load = between (d, 0.3, 1), w = between (d, 0.15, 0.3),
               h = between (d, 0.1, 0.25);
  const Way way = go (0.1, between (d, 0.15, 0.5), 0, between (d, 0.5, 0.9));
  const double numbers[] = {(m + load) * 150, (m + load) * 24, (m + load) * 9.81};
  g_autofree char *place = way_formula (&way), *first = formula ("#*(", numbers),
                  *last = formula (" - platform.y) - #*platform.vy + #", numbers + 1);

  set_time (d, 1, 1.5, 30, 45);
  d->friction = between (d, 0.3, 0.8);
  add_floor (d);
  add_body (d, "platform", ssapp_bench_box (0.5, 0.06), m, 0, 0.1);
  add_body (d, "load", ssapp_bench_box (w, h), load, between (d, -0.1, 0.1), 0.13 + h / 2);
  add_body (d, "shelf", ssapp_bench_box (0.4, 0.05), 0, 0.6, between (d, 0.3, 0.6));
  json_array_append_new (d->joints,
                         json_pack ("{s:s, s:s, s:[s,s], s:[f,f], s:[f,f]}", "name", "guide", "type", "slider",
                                    "bodies", "world", "platform", "anchor", 0.0, 0.1, "axis", 0.0, 1.0));
  add_actuator (d, json_pack ("{s:s, s:s, s:s}", "name", "winch", "type", "joint", "joint", "guide"),
                g_strconcat (first, place, last, NULL));
  aim (d, "load", SSAPP_TASK_PLACE | SSAPP_TASK_ANGLE);
}

/* A seesaw that a finger presses down on one side to lift what lies on the other. */
static void
draw_lever (SsappTaskDraft *d)
{
  const double l = between (d, 0.8, 1.2), w = between (d, 0.1, 0.16), m = between (d, 0.2, 0.5),
               r = between (d, 0.05, 0.08);
  const double tilt = between (d, 0.12, 0.2), gap = between (d, 0.01, 0.08), at = -between (d, 0.3, 0.42) * l,
               load_at = between (d, 0.3, 0.4) * l;
  const double c = cos (-tilt), s = sin (-tilt), height = 0.3;
  const double fx = c * at - s * (0.02 + gap + r), fy = height + s * at + c * (0.02 + gap + r);
  const Way way_x = stay (fx), way_y = go (fy, -gap - between (d, 0.1, 0.2), 0, between (d, 0.5, 0.8));
  json_t *body;

  set_time (d, 1, 1.4, 35, 45);
  d->friction = between (d, 0.6, 0.9);
  add_floor (d);
  body = add_body (d, "beam", ssapp_bench_box (l, 0.04), between (d, 0.5, 1), 0, height);
  json_object_set_new (body, "angle", json_real (-tilt));
  add_body (d, "stop", ssapp_bench_box (0.1, 0.1), 0, 0.45 * l * c + 0.05 * s - 0.02,
            height + 0.45 * l * s - 0.02 / c - 0.05 - 0.05 * tan (tilt));
  body = add_body (d, "load", ssapp_bench_box (w, w), m, c * load_at - s * (0.02 + w / 2),
                   height + s * load_at + c * (0.02 + w / 2));
  json_object_set_new (body, "angle", json_real (-tilt));
  add_finger (d, "finger", r, between (d, 0.5, 1), fx, fy, &way_x, &way_y);
  json_array_append_new (d->joints, json_pack ("{s:s, s:s, s:[s,s], s:[f,f]}", "name", "pivot", "type", "pin", "bodies",
                                               "world", "beam", "anchor", 0.0, height));
  aim (d, "load", SSAPP_TASK_PLACE);
}

/* A bar that lies over a block, with a load on one end: a finger presses the other one down, which it does not touch at
 * first. */
static void
draw_pry (SsappTaskDraft *d)
{
  const double l = between (d, 0.8, 1.2), h = between (d, 0.08, 0.15), w = between (d, 0.1, 0.15),
               r = between (d, 0.04, 0.07), gap = between (d, 0.02, 0.1), at = between (d, 0.05, 0.15),
               end = between (d, 0.4, 0.46) * l;
  const Way way_x = stay (end), way_y = go (h + 0.04 + gap + r, -gap - between (d, 0.04, 0.08), 0, 0.6);

  set_time (d, 1.2, 1.6, 40, 56);
  d->friction = between (d, 0.5, 0.8);
  add_floor (d);
  add_body (d, "block", ssapp_bench_box (0.06, h), 0, at, h / 2);
  add_body (d, "rest", ssapp_bench_box (0.06, h), 0, -0.3 * l, h / 2);
  add_body (d, "bar", ssapp_bench_box (l, 0.04), between (d, 0.3, 0.7), 0, h + 0.02);
  add_body (d, "load", ssapp_bench_box (w, w), between (d, 0.3, 0.8), -between (d, 0.36, 0.42) * l, h + 0.04 + w / 2);
  add_finger (d, "finger", r, between (d, 0.5, 1), way_x.start, way_y.start, &way_x, &way_y);
  aim (d, "load", SSAPP_TASK_PLACE);
}

/* A ball on one end of a seesaw, whose other end a hammer strikes. */
static void
draw_launch (SsappTaskDraft *d)
{
  const double l = between (d, 0.8, 1.3), height = between (d, 0.2, 0.3), r = between (d, 0.04, 0.07), at = 0.42 * l,
               gap = between (d, 0.1, 0.4), mass = between (d, 1, 2.5);
  const Way way_x = stay (at), way_y = go (height + 0.02 + 0.06 + gap, -gap - between (d, 0.05, 0.15), 0, 0.3);

  set_time (d, 0.7, 1, 35, 50);
  d->friction = between (d, 0.3, 0.8);
  add_floor (d);
  add_body (d, "plank", ssapp_bench_box (l, 0.04), between (d, 0.4, 1), 0, height);
  add_body (d, "stop", ssapp_bench_box (0.1, height - 0.02), 0, -at, (height - 0.02) / 2);
  add_body (d, "ball", ssapp_bench_disc (r), between (d, 0.1, 0.3), -at, height + 0.02 + r);
  lock_angle (add_body (d, "hammer", ssapp_bench_box (0.12, 0.12), mass, at, way_y.start));
  drive (d, "hammer", TRUE, mass, 120, 0, &way_x);
  drive (d, "hammer", FALSE, mass, 120, mass * d->gravity, &way_y);
  json_array_append_new (d->joints, json_pack ("{s:s, s:s, s:[s,s], s:[f,f]}", "name", "axle", "type", "pin", "bodies",
                                               "world", "plank", "anchor", 0.0, height));
  aim (d, "ball", SSAPP_TASK_PLACE);
}

/* A wheel that a finger pushes up a step. */
static void
draw_step (SsappTaskDraft *d)
{
  const double r = between (d, 0.12, 0.2), h = between (d, 0.15, 0.35) * r, f = between (d, 0.04, 0.06),
               gap = between (d, 0.01, 0.1), edge = r + between (d, 0.05, 0.2);
  const Way way_x = go (-r - gap - f, gap + edge + between (d, 0.3, 0.6), 0, between (d, 0.6, 0.9)),
            way_y = go (between (d, 0.9, 1.2) * r, h, 0.2, 0.4);

  set_time (d, 1.2, 1.6, 40, 56);
  d->friction = between (d, 0.2, 0.5);
  add_floor (d);
  add_body (d, "step", ssapp_bench_box (2, h), 0, edge + 1, h / 2);
  add_body (d, "wheel", ssapp_bench_disc (r), between (d, 0.2, 0.6), 0, r);
  add_finger (d, "finger", f, between (d, 0.6, 1.2), way_x.start, way_y.start, &way_x, &way_y);
  aim (d, "wheel", SSAPP_TASK_PLACE);
}

/* clang-format off */
#define KINDS(X)                                                                                                       \
  X ("push", draw_push, RELAYS)                                                                                        \
  X ("clutter", draw_clutter, WAVES)                                                                                   \
  X ("kick", draw_kick, GLIDES)                                                                                        \
  X ("roll", draw_roll, RELAYS)                                                                                        \
  X ("row-2", draw_row_of_two, WAVES)                                                                                  \
  X ("row-3", draw_row_of_three, GLIDES)                                                                               \
  X ("stack", draw_stack, RELAYS)                                                                                      \
  X ("drag", draw_drag, GLIDES)                                                                                        \
  X ("carry", draw_carry, GLIDES)                                                                                      \
  X ("throw", draw_throw, GLIDES)                                                                                      \
  X ("catch", draw_catch, WAVES)                                                                                       \
  X ("topple", draw_topple, RELAYS)                                                                                    \
  X ("climb", draw_climb, SPEED)                                                                                       \
  X ("arm", draw_arm, GLIDES)                                                                                          \
  X ("door", draw_door, WAVES)                                                                                         \
  X ("lift", draw_lift, GLIDES)                                                                                        \
  X ("lever", draw_lever, RELAYS)                                                                                      \
  X ("pry", draw_pry, WAVES)                                                                                           \
  X ("launch", draw_launch, RELAYS)                                                                                    \
  X ("step", draw_step, GLIDES)
/* clang-format on */
#define NAME_OF(name, draw, policy) name,
#define ROW_OF(name, draw, policy)  {draw, policy},

const char *const ssapp_bench_task_kinds[] = {KINDS (NAME_OF) NULL};

static const struct {
  void (*draw) (SsappTaskDraft *draft);
  SsappTaskPolicy policy;
} kinds[] = {KINDS (ROW_OF)};

int
ssapp_bench_n_task_kinds (void)
{
  return (int)G_N_ELEMENTS (kinds);
}

const char *
ssapp_bench_task_policy (int kind)
{
  return policy_names[kinds[kind].policy];
}

void
ssapp_bench_draw_task (SsappTaskDraft *draft, int kind)
{
  draft->policy = kinds[kind].policy;
  kinds[kind].draw (draft);
}
