/* tests/unit/test-sandbox.c: the live scene without a window: real time, the mailbox, dragging and throwing against
 * closed forms, rewinding to the bit, changes while it runs, failures, a kept run read back, 50 boxes measured
 * (printed, not judged: the machine is shared). */
#include "app/draw/ssapp-draw.h"
#include "app/sandbox/ssapp-sandbox.h"
#include "tests/ss-test-stepper.h"
#include "tests/ss-test.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <unistd.h>

enum { X = 1, Y = 2, THETA = 3, VX = 4, VY = 5, BODY_VALUES = 6 };
/* Waiting longer than this for something that takes milliseconds means that it does not come. [s] */
static const double patience = 120;

/* A ball of 2 kg in the air over a floor far below, a second body with restitution only where asked. */
static const char ball_text[] =
    "{\"format\": 1, \"name\": \"ball\", \"parameters\": {\"g\": {\"value\": 9.81}, \"e\": {\"value\": 0}, \"m\": "
    "{\"value\": 2}},"
    "\"scene\": {\"gravity\": [0, \"-g\"], \"friction\": 0.5, \"restitution\": \"e\", \"bodies\": ["
    "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}, \"position\": "
    "[0, -100]},"
    "{\"name\": \"ball\", \"shape\": {\"type\": \"circle\", \"radius\": 0.2}, \"mass\": \"m\", \"position\": [0, 0]}],"
    "\"contacts\": \"all\"}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}";

static SsappSandbox *
make (const char *text, const char *method)
{
  g_autoptr (GError) error = NULL;
  SsappSandbox *sandbox = ssapp_sandbox_new (text, method, NULL, &error);

  if (sandbox == NULL)
    g_error ("%s", error->message);
  return sandbox;
}

static char *
read_example (const char *name)
{
  g_autofree char *path = g_build_filename (SS_SOURCE_ROOT, "examples", name, NULL);
  char *text = NULL;
  SS_CHECK (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static SsappSandboxState
state_of (SsappSandbox *sandbox)
{
  SsappSandboxState state;
  ssapp_sandbox_get_state (sandbox, &state);
  return state;
}

static double *
dup_frame (SsappSandbox *sandbox)
{
  double *row = g_new0 (double, ssapp_sandbox_get_n_channels (sandbox));
  ssapp_sandbox_take_frame_with (sandbox, 0, row, NULL);
  return row;
}

static void
step (SsappSandbox *sandbox, int n)
{
  ssapp_sandbox_step (sandbox, n);
  ssapp_sandbox_sync (sandbox);
}

/* Simulated time is wall time; a quarter of it at a quarter of the speed. What a busy machine loses is counted as
 * slipped. */
static void
test_real_time (void)
{
  g_autoptr (SsappSandbox) sandbox = make (ball_text, NULL);
  const double speeds[] = {1, 0.25};

  SS_CHECK_STR (ssapp_sandbox_get_method (sandbox), "stewart-trinkle");
  SS_CHECK_NEAR (ssapp_sandbox_get_step (sandbox), 1.0 / 120, 1e-15); /* 0.01 s: two to a frame; rounding */
  SS_CHECK (state_of (sandbox).is_paused && state_of (sandbox).time == 0);
  for (int i = 0; i < 2; i++) {
    double from = state_of (sandbox).time;
    SsappSandboxState state;
    gint64 start = g_get_monotonic_time ();
    ssapp_sandbox_set_speed (sandbox, speeds[i]);
    ssapp_sandbox_set_paused (sandbox, FALSE);
    g_usleep (400000);
    state = state_of (sandbox);
    double wall = (double)(g_get_monotonic_time () - start) / 1e6, time = state.time - from;
    ssapp_sandbox_set_paused (sandbox, TRUE);
    ssapp_sandbox_sync (sandbox);
    /* never ahead by more than the step that is due at once and the one in hand; behind by the scheduler's delay and
     * the allowed lag */
    SS_CHECK (time <= speeds[i] * wall + 2.5 / 120);
    SS_CHECK (time >= speeds[i] * (wall - state.slipped - 0.15));
  }
  double time = state_of (sandbox).time;
  g_usleep (50000);
  SS_CHECK (state_of (sandbox).time == time); /* paused */
}

/* One place: whoever comes late gets the newest frame, and nothing when there is nothing new. */
static void
test_mailbox (void)
{
  g_autoptr (SsappSandbox) sandbox = make (ball_text, NULL);
  g_autofree double *row = dup_frame (sandbox);
  guint64 seen = ssapp_sandbox_take_frame_with (sandbox, 0, row, NULL);

  SS_CHECK (seen == 1 && row[0] == 0);
  step (sandbox, 50);
  seen = ssapp_sandbox_take_frame_with (sandbox, seen, row, NULL);
  SS_CHECK (seen == 51);
  SS_CHECK_NEAR (row[0], 50.0 / 120, 1e-13); /* rounding of 50 sums */
  SS_CHECK_NEAR (row[1 + BODY_VALUES + VY - 1], -9.81 * 50 / 120,
                 1e-12); /* free fall is exact in the speed; rounding */
  row[0] = -1;
  SS_CHECK (ssapp_sandbox_take_frame_with (sandbox, seen, row, NULL) == seen && row[0] == -1);
}

/* Of a scene with more pairs than have channels, the frame tells the contacts that act: here those with the floor, of
 * which each carries a disc. After a rewind none is known. */
static void
test_contacts_of_many_bodies (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"many\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.5, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"for\": \"i\", \"from\": 0, \"to\": 94, \"rows\": [{\"name\": \"d{i}\", \"mass\": 1, "
      "\"position\": [\"{i}\", 0.3], \"shape\": {\"type\": \"circle\", \"radius\": 0.3}}]}], \"contacts\": \"all\"}}";
  g_autoptr (SsappSandbox) sandbox = make (text, "convex-time-stepping");
  g_autoptr (GArray) contacts = g_array_new (FALSE, FALSE, sizeof (SsContactRow));
  g_autofree double *row = dup_frame (sandbox);
  const SsScene *scene = ssapp_sandbox_get_scenario (sandbox)->scene;

  SS_CHECK (scene->n_contacts > SS_CONTACTS_WITH_CHANNELS_MAX);
  ssapp_sandbox_take_frame_with (sandbox, 0, row, contacts);
  SS_CHECK (contacts->len == 0); /* before the first step */
  step (sandbox, 3);
  ssapp_sandbox_take_frame_with (sandbox, 0, row, contacts);
  SS_CHECK (contacts->len == 95);
  for (guint i = 0; i < contacts->len; i++) {
    const SsContactRow *item = &g_array_index (contacts, SsContactRow, i);
    SS_CHECK (scene->contacts[item->contact].body_a == 0 && scene->contacts[item->contact].body_b == (int)i + 1);
    SS_CHECK_NEAR (item->lambda_n, 9.81, 1e-6); /* the method's own tolerance, of impulses of 0.08 N s */
  }
  ssapp_sandbox_rewind (sandbox, 0);
  ssapp_sandbox_sync (sandbox);
  ssapp_sandbox_take_frame_with (sandbox, 0, row, contacts);
  SS_CHECK (contacts->len == 0 && row[0] == 0);
}

/* The ball comes to the pointer, less what the spring gives way under gravity, g (1 + omega h)^2/omega^2 with omega =
 * 25 rad/s; let go it flies on. */
static void
test_drag_and_throw (void)
{
  g_autoptr (SsappSandbox) sandbox = make (ball_text, NULL);
  SsVec2 on_body, pointer;

  SS_CHECK (!ssapp_sandbox_drag_begin (sandbox, "floor", (SsVec2){0, 0}));
  SS_CHECK (!ssapp_sandbox_drag_begin (sandbox, "nobody", (SsVec2){0, 0}));
  SS_CHECK (!ssapp_sandbox_get_spring (sandbox, &on_body, &pointer));
  SS_CHECK (ssapp_sandbox_drag_begin (sandbox, "ball", (SsVec2){0, 0}));
  ssapp_sandbox_drag_to (sandbox, (SsVec2){1, 0.5});
  step (sandbox, 240);
  g_autofree double *row = dup_frame (sandbox);
  const double *ball = row + BODY_VALUES;
  SS_CHECK_NEAR (ball[X], 1, 1e-6); /* two seconds are 50 times 1/omega */
  SS_CHECK_NEAR (ball[Y], 0.5 - 9.81 * pow (1 + 25.0 / 120, 2) / (25.0 * 25), 1e-6);
  SS_CHECK (ssapp_sandbox_get_spring (sandbox, &on_body, &pointer));
  SS_CHECK (on_body.x == ball[X] && on_body.y == ball[Y] && pointer.x == 1 && pointer.y == 0.5);
  g_autofree char *pulled = ssapp_sandbox_describe_pulled (sandbox); /* nothing drives it */
  SS_CHECK_CONTAINS (pulled, "ball was pulled by hand at 0.00 s");

  /* Pulled at 3 m/s it follows at 3 m/s, and keeps that when let go. */
  for (int i = 0; i < 120; i++) {
    ssapp_sandbox_drag_to (sandbox, (SsVec2){1 + 3 * (i + 1) / 120.0, 0.5});
    step (sandbox, 1);
  }
  ssapp_sandbox_drag_end (sandbox);
  g_autofree double *thrown = dup_frame (sandbox);
  SS_CHECK_NEAR (thrown[BODY_VALUES + VX], 3, 1e-6); /* a second is 25/omega: exp (-25) */
  step (sandbox, 60);
  g_autofree double *flying = dup_frame (sandbox);
  SS_CHECK (flying[BODY_VALUES + VX] == thrown[BODY_VALUES + VX]);
  SS_CHECK_NEAR (flying[BODY_VALUES + X] - thrown[BODY_VALUES + X], 0.5 * thrown[BODY_VALUES + VX], 1e-12);
}

/* A hand holds the point that it took, of whichever body and however that is turned by then; the others go on. */
static void
test_a_hand_holds_what_it_took (void)
{
  static const char text[] =
      "{\"format\": 1, \"name\": \"two\", \"scene\": {\"gravity\": [0, 0], \"bodies\": ["
      "{\"name\": \"first\", \"mass\": 1, \"position\": [-2, 1], \"angle\": 0.4, \"angular_velocity\": 1.5, "
      "\"velocity\": [0.2, 0], \"shape\": {\"type\": \"box\", \"width\": 1, \"height\": 0.4}},"
      "{\"name\": \"second\", \"mass\": 2, \"position\": [3, -1], \"angle\": -1, \"angular_velocity\": -0.7, "
      "\"velocity\": [0, 0.3], \"shape\": {\"type\": \"box\", \"width\": 0.6, \"height\": 0.6}}]}}";
  static const char *const names[] = {"first", "second"};
  static const SsVec2 arm = {0.3, 0.1}; /* along the sheet, from the middle */

  for (int body = 0; body < 2; body++) {
    g_autoptr (SsappSandbox) sandbox = make (text, NULL);
    SsVec2 on_body, pointer;

    step (sandbox, 60);
    g_autofree double *row = dup_frame (sandbox);
    const double *q = row + BODY_VALUES * body, *other = row + BODY_VALUES * !body;
    const SsVec2 point = {q[X] + arm.x, q[Y] + arm.y}, target = {q[X] + 1, q[Y] - 1};
    SS_CHECK (ssapp_sandbox_drag_begin (sandbox, names[body], point));
    SS_CHECK (ssapp_sandbox_get_spring (sandbox, &on_body, &pointer));
    SS_CHECK_NEAR (on_body.x, point.x, 1e-14); /* rounding of places of some metres */
    SS_CHECK_NEAR (on_body.y, point.y, 1e-14);
    ssapp_sandbox_drag_to (sandbox, target);
    step (sandbox, 240);
    g_autofree double *then = dup_frame (sandbox);
    const double *p = then + BODY_VALUES * body, *free = then + BODY_VALUES * !body;
    SS_CHECK (ssapp_sandbox_get_spring (sandbox, &on_body, &pointer));
    SS_CHECK (pointer.x == target.x && pointer.y == target.y);
    SS_CHECK_NEAR (hypot (on_body.x - p[X], on_body.y - p[Y]), hypot (arm.x, arm.y), 1e-14);
    SS_CHECK_NEAR (
        remainder (atan2 (on_body.y - p[Y], on_body.x - p[X]) - atan2 (arm.y, arm.x) - (p[THETA] - q[THETA]), 2 * G_PI),
        0, 1e-13);
    /* The spring is damped critically where it pulls at the middle; a body that swings about the hand goes on to. */
    SS_CHECK (hypot (on_body.x - target.x, on_body.y - target.y) < 0.1);
    for (int k = VX; k <= VY + 1; k++)
      SS_CHECK (free[k] == other[k]);
  }
}

/* Far away the force is bounded: 200 m/s2 times the mass. Off the centre the point comes to the pointer, the body hangs
 * from it. */
static void
test_drag_bounds (void)
{
  g_autoptr (SsappSandbox) sandbox = make (ball_text, NULL);
  SsVec2 on_body, pointer;

  SS_CHECK (ssapp_sandbox_drag_begin (sandbox, "ball", (SsVec2){0, 0}));
  ssapp_sandbox_drag_to (sandbox, (SsVec2){1000, 0});
  step (sandbox, 1);
  g_autofree double *row = dup_frame (sandbox);
  SS_CHECK_NEAR (row[BODY_VALUES + VX], 200.0 / 120,
                 1e-4); /* the spring also holds against g: a hundredth of its force turned */
  ssapp_sandbox_drag_to (sandbox, (SsVec2){NAN, 0}); /* ignored */
  ssapp_sandbox_rewind (sandbox, 0);
  SS_CHECK (ssapp_sandbox_drag_begin (sandbox, "ball", (SsVec2){0.15, 0}));
  ssapp_sandbox_drag_to (sandbox, (SsVec2){0.15, 1});
  step (sandbox, 1200);
  SS_CHECK (ssapp_sandbox_get_spring (sandbox, &on_body, &pointer));
  SS_CHECK (hypot (on_body.x - pointer.x, on_body.y - pointer.y) < 0.1);
  SS_CHECK (!state_of (sandbox).has_failed);
}

static void
test_rewind (void)
{
  g_autofree char *text = read_example ("sketches/falling-box.stickslip.json");
  g_autoptr (SsappSandbox) sandbox = make (text, NULL);
  const size_t size = (size_t)ssapp_sandbox_get_n_channels (sandbox) * sizeof (double);

  step (sandbox, 90);
  g_autofree double *then = dup_frame (sandbox);
  step (sandbox, 60);
  g_autofree double *end = dup_frame (sandbox);
  ssapp_sandbox_rewind (sandbox, then[0]);
  ssapp_sandbox_sync (sandbox);
  g_autofree double *back = dup_frame (sandbox);
  SS_CHECK (memcmp (then, back, size) == 0);
  SS_CHECK (state_of (sandbox).is_paused && state_of (sandbox).newest == end[0] && state_of (sandbox).earliest == 0);
  ssapp_sandbox_rewind (sandbox, 1e9); /* forward again */
  ssapp_sandbox_sync (sandbox);
  g_autofree double *forward = dup_frame (sandbox);
  SS_CHECK (memcmp (end, forward, size) == 0);
  ssapp_sandbox_rewind (sandbox, then[0] + 1e-6); /* the last not after */
  step (sandbox, 1);
  g_autofree double *next = dup_frame (sandbox);
  SS_CHECK_NEAR (next[0], then[0] + 1.0 / 120, 1e-12);
  SS_CHECK (state_of (sandbox).newest == next[0]); /* what came after is gone */
  ssapp_sandbox_set_paused (sandbox, FALSE);
  ssapp_sandbox_rewind (sandbox, -1); /* of one that runs: it stays where it went */
  ssapp_sandbox_sync (sandbox);
  SS_CHECK (state_of (sandbox).is_paused && state_of (sandbox).time == 0);
}

/* Few rows fit: the oldest go, the newest stay right. */
static void
test_memory_bound (void)
{
  g_autoptr (SsappSandbox) sandbox = make (ball_text, NULL);
  const gsize row_bytes = (gsize)ssapp_sandbox_get_n_channels (sandbox) * sizeof (double);

  ssapp_sandbox_set_memory (sandbox, SSAPP_SANDBOX_MEMORY, 10 * row_bytes);
  step (sandbox, 100);
  SsappSandboxState state = state_of (sandbox);
  SS_CHECK_NEAR (state.newest - state.earliest, 9.0 / 120, 1e-12);
  ssapp_sandbox_rewind (sandbox, 0);
  ssapp_sandbox_sync (sandbox);
  SS_CHECK (state_of (sandbox).time == state.earliest);
  SsTrajectory *trajectory = ssapp_sandbox_dup_trajectory (sandbox);
  SS_CHECK (trajectory != NULL && trajectory->n_rows == 1);
  ss_trajectory_free (trajectory);
  ssapp_sandbox_set_memory (sandbox, 1, SSAPP_SANDBOX_ROWS_MEMORY); /* one row always stays */
  step (sandbox, 5);
  SS_CHECK (state_of (sandbox).earliest == state_of (sandbox).newest);
}

/* What the process has in memory. [bytes] */
static gsize
resident (void)
{
  g_autofree char *text = NULL;
  unsigned long all = 0, there = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL) && sscanf (text, "%lu %lu", &all, &there) == 2)
    return there * (gsize)sysconf (_SC_PAGESIZE);
  return 0;
}

/* An hour of a motion that never rests, with a hand on it once a minute: what is kept is as much after it as after its
 * first ten minutes. */
static void
test_an_hour (void)
{
  enum { MINUTES = 60, FULL = 10 };
  static const gsize kept = (gsize)1 << 20, slack = (gsize)2 << 20; /* heaps are taken and given back in pieces */
  g_autofree char *text = read_example ("classics/driven-arm.stickslip.json");
  g_autoptr (SsappSandbox) sandbox = make (text, NULL);
  const int a_minute = (int)lround (60 / ssapp_sandbox_get_step (sandbox));
  const SsScene *scene = ssapp_sandbox_get_scenario (sandbox)->scene;
  gsize full = 0;

  ssapp_sandbox_set_memory (sandbox, kept, kept);
  for (int minute = 1; minute <= MINUTES; minute++) {
    SsVec2 hand = {0.1, 0.1};
    step (sandbox, a_minute);
    SS_CHECK (ssapp_sandbox_drag_begin (sandbox, scene->bodies[scene->n_bodies - 1].name, hand));
    for (int i = 0; i < 60; i++) {
      hand.x += 0.01;
      ssapp_sandbox_drag_to (sandbox, hand);
      step (sandbox, 2);
    }
    ssapp_sandbox_drag_end (sandbox);
    if (minute == FULL)
      full = resident ();
  }
  const SsappSandboxState state = state_of (sandbox);
  SS_CHECK (!state.has_failed);
  SS_CHECK_NEAR (state.newest, MINUTES * (60 + 120 * ssapp_sandbox_get_step (sandbox)), 1);
  SS_CHECK (full > 0 && resident () < full + slack);
  printf ("  %.0f s, %.1f MB after ten minutes, %.1f MB in the end, %.0f s are kept\n", state.newest,
          (double)full / 1e6, (double)resident () / 1e6, state.newest - state.earliest);
}

/* Without gravity it flies on from where it is, as fast as it was. */
static void
test_parameter (void)
{
  g_autoptr (SsappSandbox) sandbox = make (ball_text, NULL);
  g_autoptr (GError) error = NULL;

  step (sandbox, 30);
  g_autofree double *before = dup_frame (sandbox);
  SS_CHECK (ssapp_sandbox_set_parameter (sandbox, "g", 0, &error));
  ssapp_sandbox_sync (sandbox);
  g_autofree double *same = dup_frame (sandbox);
  SS_CHECK (memcmp (before, same, (BODY_VALUES * 2 + 1) * sizeof *before) == 0);
  step (sandbox, 30);
  g_autofree double *after = dup_frame (sandbox);
  SS_CHECK (after[BODY_VALUES + VY] == before[BODY_VALUES + VY]);
  SS_CHECK_NEAR (after[BODY_VALUES + Y], before[BODY_VALUES + Y] + 0.25 * before[BODY_VALUES + VY], 1e-12);

  SS_CHECK (!ssapp_sandbox_set_parameter (sandbox, "m", -1, &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK (!ssapp_sandbox_set_parameter (sandbox, "nothing", 1, &error) && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_sandbox_set_parameter (sandbox, "m", 3, &error));
  SS_CHECK (ssapp_sandbox_get_scenario (sandbox)->scene->bodies[1].mass == 3);

  /* Another scene is none of ours. */
  g_autofree char *other = read_example ("sketches/falling-box.stickslip.json");
  SS_CHECK (!ssapp_sandbox_set_text (sandbox, other, &error) && error != NULL);
  step (sandbox, 1);
  SS_CHECK (!state_of (sandbox).has_failed);
}

static void
test_methods (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *bouncing = read_example ("classics/bouncing-ball.stickslip.json");
  g_autofree char *model = read_example ("crisp/push-box.stickslip.json");
  g_autoptr (SsappSandbox) sandbox = make (bouncing, NULL);
  const char *const options[] = {"no-such-option", "1", NULL};

  SS_CHECK_STR (ssapp_sandbox_get_method (sandbox), "moreau-jean");
  SS_CHECK (ssapp_sandbox_new (model, NULL, NULL, &error) == NULL && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_sandbox_new (ball_text, "crisp", NULL, &error) == NULL && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_sandbox_new (ball_text, NULL, options, &error) == NULL && error != NULL);
  g_clear_error (&error);
  SS_CHECK (ssapp_sandbox_new ("{", NULL, NULL, &error) == NULL && error != NULL);
}

/* A ball in flight, live, by every integrator of the registry: it falls by g t^2/2, to the first order in a step. */
static void
test_every_integrator (void)
{
  enum { N = 10 };

  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    if (method->kind != SS_METHOD_INTEGRATOR || !method->is_built)
      continue;
    g_autoptr (SsappSandbox) sandbox = make (ball_text, method->name);
    step (sandbox, N);
    const SsappSandboxState state = state_of (sandbox);
    g_autofree double *row = dup_frame (sandbox);
    SS_CHECK_STR (ssapp_sandbox_get_method (sandbox), method->name);
    SS_CHECK (!state.has_failed && state.n_steps == N && state.time > 0);
    SS_CHECK_NEAR (row[BODY_VALUES + Y], -9.81 * state.time * state.time / 2, 9.81 * state.time * state.time / N);
  }
}

/* A force that runs away: it stops where it was, says which body and when, and can be rewound. */
static void
test_failure (void)
{
  static const char text[] = "{\"format\": 1, \"name\": \"away\", \"scene\": {\"gravity\": [0, 0], \"bodies\": "
                             "[{\"name\": \"rocket\", \"shape\": "
                             "{\"type\": \"circle\", \"radius\": 0.1}, \"mass\": 1, \"velocity\": [1, 0]}], "
                             "\"forces\": [{\"body\": \"rocket\", \"force\": "
                             "[\"1e4*rocket.vx\", 0]}]}, \"task\": {\"t_end\": 1, \"dt\": 0.01}}";
  g_autoptr (SsappSandbox) sandbox = make (text, NULL);
  gint64 start = g_get_monotonic_time ();

  ssapp_sandbox_set_paused (sandbox, FALSE);
  while (!state_of (sandbox).has_failed && g_get_monotonic_time () - start < patience * 1e6)
    g_usleep (1000);
  SsappSandboxState state = state_of (sandbox);
  SS_CHECK (state.has_failed && state.is_paused);
  SS_CHECK_CONTAINS (state.message, "rocket");
  SS_CHECK_CONTAINS (state.message, "t = ");
  SS_CHECK (state.time == state.newest);
  ssapp_sandbox_rewind (sandbox, 0);
  ssapp_sandbox_sync (sandbox);
  SS_CHECK (!state_of (sandbox).has_failed && state_of (sandbox).time == 0);
}

static void
test_keep (void)
{
  g_autofree char *folder = g_dir_make_tmp ("test-sandbox-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "kept.stickslip", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappStore) store = ssapp_store_open (path, TRUE, &error);
  g_autoptr (SsappSandbox) sandbox = make (ball_text, NULL);

  step (sandbox, 10);
  g_autofree char *plain = ssapp_sandbox_keep (sandbox, store, &error);
  SS_CHECK (plain != NULL);
  SS_CHECK (ssapp_sandbox_set_parameter (sandbox, "g", 1, &error));
  SS_CHECK (ssapp_sandbox_drag_begin (sandbox, "ball", (SsVec2){0, 0}));
  step (sandbox, 10);
  ssapp_sandbox_drag_end (sandbox);
  g_autofree double *end = dup_frame (sandbox);
  g_autofree char *id = ssapp_sandbox_keep (sandbox, store, &error);
  SS_CHECK (id != NULL);
  if (id == NULL || plain == NULL)
    return;
  SsappRunRow *row = ssapp_store_get_run (store, plain, &error);
  SS_CHECK_STR (row->note, "sandbox");
  SS_CHECK_STR (row->outcome, "completed");
  SS_CHECK_STR (row->method, "stewart-trinkle");
  SS_CHECK (row->kind == SS_METHOD_INTEGRATOR);
  ssapp_run_row_free (row);
  row = ssapp_store_get_run (store, id, &error);
  SS_CHECK_STR (row->note, "sandbox, 3 changes by hand: see the log");
  ssapp_run_row_free (row);
  g_autofree char *log = ssapp_store_get_log (store, id, &error),
                  *text = ssapp_store_get_scenario_text (store, id, &error);
  SS_CHECK_CONTAINS (log, "g = 1");
  SS_CHECK_CONTAINS (log, "ball is dragged");
  SS_CHECK_STR (text, ball_text);
  SsTrajectory *motion = ssapp_store_get_trajectory (store, id, &error);
  SS_CHECK (motion != NULL && motion->n_rows == 21);
  if (motion != NULL)
    SS_CHECK (memcmp (ss_trajectory_row (motion, 20), end, (size_t)motion->n_channels * sizeof *end) == 0);
  ss_trajectory_free (motion);
  SS_CHECK (ssapp_store_close (store, NULL));
  g_unlink (path);
  g_rmdir (folder);
}

/* A disc with two forces is dragged against a box: what moves is what its forces do, within their limits, and the same
 * again when only these are given. */
static void
test_played (void)
{
  g_autofree char *text = read_example ("plans/push-box-with-disc.stickslip.json");
  g_autoptr (SsappSandbox) sandbox = make (text, "stewart-trinkle");
  const SsScene *scene = ssapp_sandbox_get_scenario (sandbox)->scene;
  SsControls *controls = NULL;
  SsSimResult result = {0};
  SsError err;
  int disc = 0;

  while (strcmp (scene->bodies[disc].name, "disc") != 0)
    disc++;
  const double *start = scene->bodies[disc].q;
  step (sandbox, 5);
  /* the box is pulled by what is no actuator, until that never happened */
  SS_CHECK (ssapp_sandbox_drag_begin (sandbox, "box", (SsVec2){0, 0.15}));
  ssapp_sandbox_drag_to (sandbox, (SsVec2){0.1, 0.15});
  step (sandbox, 5);
  ssapp_sandbox_drag_end (sandbox);
  g_autofree char *pulled = ssapp_sandbox_describe_pulled (sandbox);
  SS_CHECK_CONTAINS (pulled, "box was pulled by hand");
  ssapp_sandbox_rewind (sandbox, 0);
  ssapp_sandbox_sync (sandbox);
  step (sandbox, 5);
  SS_CHECK (ssapp_sandbox_describe_pulled (sandbox) == NULL);
  SS_CHECK (ssapp_sandbox_drag_begin (sandbox, "disc", (SsVec2){start[0], start[1]}));
  ssapp_sandbox_drag_to (sandbox, (SsVec2){start[0] + 0.5, start[1]});
  step (sandbox, 60);
  ssapp_sandbox_drag_end (sandbox);
  step (sandbox, 20);
  SS_CHECK (ssapp_sandbox_describe_pulled (sandbox) == NULL); /* actuators did */
  SsTrajectory *motion = ssapp_sandbox_dup_trajectory (sandbox);
  const int x = ss_trajectory_channel (motion, "disc.x"), box = ss_trajectory_channel (motion, "box.x");
  const double *last = ss_trajectory_row (motion, motion->n_rows - 1);
  SS_CHECK (last[x] > start[0] + 0.2 && last[box] > ss_trajectory_row (motion, 0)[box] + 0.01);
  for (int k = 0; k < motion->n_rows; k++)
    for (int a = 0; a < scene->n_actuators; a++) {
      g_autofree char *name = g_strdup_printf ("u.%s", scene->actuators[a].name);
      const double u = ss_trajectory_row (motion, k)[ss_trajectory_channel (motion, name)];
      SS_CHECK (u >= scene->actuators[a].lower && u <= scene->actuators[a].upper);
    }
  SS_CHECK (ss_controls_new (scene, motion, &controls, &err) == SS_OK);
  const SsMethod *method = ss_method_find (SS_METHOD_INTEGRATOR, "stewart-trinkle", &err);
  g_autofree void *options = g_malloc0 (method->options->size + 1);
  ss_options_init (method->options, options);
  const SsSimJob job = {.scene = scene,
                        .integrator = method->integrator,
                        .options = options,
                        .controls = controls,
                        .dt = NAN,
                        .t_end = last[0]};
  SS_CHECK (ss_simulate_job (&job, NULL, &result, &err) == SS_OK);
  const double *again = ss_trajectory_row (result.trajectory, result.trajectory->n_rows - 1);
  for (int c = 1; c < 1 + BODY_VALUES * scene->n_bodies; c++)
    SS_CHECK_NEAR (again[c], last[c],
                   1e-9); /* steps of rows' times, which are sums of steps: rounding, over 85 steps */
  ss_sim_result_clear (&result);
  ss_controls_free (controls);
  ss_trajectory_free (motion);
}

/* Steps with several rows and jumps: all rows are kept, frames and rewinding take the later row of a jump, and a kept
 * run counts steps. */
static void
test_rows_within_steps (void)
{
  static const SsMethod method = {.kind = SS_METHOD_INTEGRATOR,
                                  .name = "test-stepper",
                                  .label = "Test stepper",
                                  .is_built = true,
                                  .options = &ss_test_no_options,
                                  .integrator = &ss_test_stepper};
  g_autofree char *folder = g_dir_make_tmp ("test-sandbox-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "kept.stickslip", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappStore) store = ssapp_store_open (path, TRUE, &error);
  g_autoptr (SsappSandbox) sandbox = ssapp_sandbox_new_with (ss_test_ball_text, &method, NULL, &error);
  const int n_steps = 60; /* of 1/60 s: past the impacts at 0.4 and 0.8 s */

  SS_CHECK (sandbox != NULL);
  step (sandbox, n_steps);
  SS_CHECK (state_of (sandbox).n_steps == (guint64)n_steps);
  SsTrajectory *motion = ssapp_sandbox_dup_trajectory (sandbox);
  const int vy = ss_trajectory_channel (motion, "ball.vy"),
            impulse = ss_trajectory_channel (motion, "landing.impulse_n");
  int jump = 1;
  while (jump < motion->n_rows - 1 && !(ss_trajectory_row (motion, jump)[impulse] > 0))
    jump++;
  /* two rows an element and two an impact; the third one, at 1 s, falls on either side of the last step's end */
  SS_CHECK (motion->n_rows >= 1 + 2 * n_steps + 2 * 2 && motion->n_rows <= 1 + 2 * n_steps + 2 * 3);
  const double *after = ss_trajectory_row (motion, jump), *before = ss_trajectory_row (motion, jump - 1);
  SS_CHECK_NEAR (after[0], 0.4, 1e-14);
  SS_CHECK (before[0] == after[0] && before[vy] < -3.9 && after[vy] > 1.9);

  g_autofree char *id = ssapp_sandbox_keep (sandbox, store, &error);
  SS_CHECK (id != NULL);
  g_autofree char *text = ssapp_store_get_result_json (store, id, &error);
  json_t *result = json_loads (text != NULL ? text : "{}", 0, NULL);
  SS_CHECK (json_integer_value (json_object_get (json_object_get (result, "metrics"), "steps")) == n_steps);
  /* stages and exact events are kept: the judge has what explains the rows, sums of a few numbers up to 10 */
  const json_t *metrics = json_object_get (result, "metrics"), *events = json_object_get (result, "events");
  SS_CHECK (json_is_number (json_object_get (metrics, "max_balance_residual")) &&
            json_number_value (json_object_get (metrics, "max_balance_residual")) < 1e-12);
  SS_CHECK (json_array_size (events) == 2 || json_array_size (events) == 3);
  const json_t *second = json_array_get (events, 1);
  SS_CHECK_NEAR (json_number_value (json_object_get (second, "t")), 0.8, 1e-14);
  SS_CHECK (json_is_true (json_object_get (second, "exact")));
  json_decref (result);

  ssapp_sandbox_rewind (sandbox, after[0]);
  ssapp_sandbox_sync (sandbox);
  g_autofree double *frame = dup_frame (sandbox);
  /* the step may end at the impact: then its last row has the same time */
  const double *last = ss_trajectory_row (motion, ss_trajectory_last_at (motion, jump));
  SS_CHECK (memcmp (frame, last, (gsize)motion->n_channels * sizeof *frame) == 0);
  SS_CHECK_NEAR (frame[vy], after[vy], 1e-14);
  ss_trajectory_free (motion);
  step (sandbox, 1);
  SS_CHECK_NEAR (state_of (sandbox).time, 0.4 + 1. / 60, 1e-14);
  SS_CHECK (ssapp_store_close (store, NULL));
  g_unlink (path);
  g_rmdir (folder);
}

/* What is kept warns of what a run of the same scene warns of. */
static void
test_keep_warnings (void)
{
  g_autofree char *folder = g_dir_make_tmp ("test-sandbox-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "kept.stickslip", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SsappStore) store = ssapp_store_open (path, TRUE, &error);
  g_autofree char *bouncy = g_strdup (ball_text);
  char *place = strstr (bouncy, "\"e\": {\"value\": 0}");

  SS_CHECK (place != NULL);
  memcpy (place, "\"e\": {\"value\": 1}", strlen ("\"e\": {\"value\": 1}"));
  g_autoptr (SsappSandbox) sandbox = make (bouncy, "implicit-euler");
  step (sandbox, 3);
  g_autofree char *id = ssapp_sandbox_keep (sandbox, store, &error);
  SS_CHECK (id != NULL);
  g_autofree char *result = id != NULL ? ssapp_store_get_result_json (store, id, &error) : NULL;
  g_autofree char *log = id != NULL ? ssapp_store_get_log (store, id, &error) : NULL;
  json_t *json = result != NULL ? json_loads (result, 0, NULL) : NULL;
  const char *text = json_string_value (json_array_get (json_object_get (json, "warnings"), 0));
  SS_CHECK (text != NULL && strstr (text, "does not use restitution: the 1 of contact floor-ball") != NULL);
  SS_CHECK (text != NULL && log != NULL && strstr (log, text) != NULL);
  json_decref (json);
  SS_CHECK (ssapp_store_close (store, NULL));
  g_unlink (path);
  g_rmdir (folder);
}

/* Ends while it runs, with everything asked for at once. */
static void
test_shutdown (void)
{
  for (int i = 0; i < 20; i++) {
    g_autoptr (SsappSandbox) sandbox = make (ball_text, NULL);
    ssapp_sandbox_set_paused (sandbox, FALSE);
    ssapp_sandbox_step (sandbox, 3);
    ssapp_sandbox_set_paused (sandbox, FALSE);
    ssapp_sandbox_rewind (sandbox, 0);
    ssapp_sandbox_set_parameter (sandbox, "g", i, NULL);
    ssapp_sandbox_set_paused (sandbox, FALSE);
    if (i % 2 == 0)
      ssapp_sandbox_stop (sandbox);
    ssapp_sandbox_sync (sandbox); /* returns, whether it lives or not */
  }
}

/* A wall of 5 columns and 10 rows with gaps, hit by one of its boxes: as many contacts as a hand will make. */
static char *
fifty_boxes (void)
{
  return g_strdup (
      "{\"format\": 1, \"name\": \"fifty\", \"scene\": {\"gravity\": [0, -9.81], \"friction\": 0.5, \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}},"
      "{\"for\": \"i\", \"from\": 0, \"to\": 9, \"rows\": [{\"for\": \"j\", \"from\": 0, \"to\": 4, \"rows\": ["
      "{\"name\": \"b{i}_{j}\", \"shape\": {\"type\": \"box\", \"width\": 0.3, \"height\": 0.2}, \"mass\": 1, "
      "\"position\": [\"0.31*{j} + 0.05*({i}/2 - floor({i}/2))\", \"0.1 + 0.25*{i}\"], \"angle\": \"0.02*({j} - "
      "2)\"}]}]}]},"
      "\"task\": {\"t_end\": 1, \"dt\": 0.016666666666666666}}");
}

/* What the integrators cost that take steps of a given size; who looks for events or picks its steps is not for so many
 * bodies. */
static void
test_fifty_boxes (void)
{
  const double most_seconds = 1.5; /* of processor: a slow one has told what it costs before all of its steps */
  g_autofree char *text = fifty_boxes ();

  g_autoptr (SsappSandbox) many = make (text, NULL);
  SS_CHECK_STR (ssapp_sandbox_get_method (many), "convex-time-stepping"); /* the one that keeps up */
  for (int m = 0; m < ss_method_count (); m++) {
    const SsMethod *method = ss_method_at (m);
    if (method->integrator == NULL || method->has_own_steps || method->integrator->gives_events)
      continue;
    g_autoptr (SsappSandbox) sandbox = make (text, method->name);
    gint64 start = g_get_monotonic_time (), slowest = 0;
    /* Two blocks have all that threads share here: a scene that moves, and a body that is dragged. */
    const int n_block = ss_test_is_coarse () ? 2 : 10, n_steps = ss_test_is_coarse () ? 2 * n_block : 240;
    SS_CHECK (ssapp_sandbox_get_scenario (sandbox)->scene->n_bodies == 51);
    for (int k = 0; k < n_steps && state_of (sandbox).cpu_seconds < most_seconds; k += n_block) {
      gint64 block = g_get_monotonic_time ();
      if (k == n_steps / 2) {
        SS_CHECK (ssapp_sandbox_drag_begin (sandbox, "b0_2", (SsVec2){0.62, 0.1}));
        ssapp_sandbox_drag_to (sandbox, (SsVec2){0.62, 3});
      }
      step (sandbox, n_block);
      slowest = MAX (slowest, (g_get_monotonic_time () - block) / n_block);
    }
    SsappSandboxState state = state_of (sandbox);
    printf (
        "# 50 boxes, %s: %.2f ms of processor a step (%.0f steps/s on the clock, slowest 10: %.0f) over %.1f s%s%s\n",
        method->name, 1e3 * state.cpu_seconds / (double)state.n_steps,
        (double)state.n_steps * 1e6 / (double)(g_get_monotonic_time () - start), 1e6 / (double)MAX (slowest, 1),
        state.time, state.has_failed ? ", failed: " : "", state.message);
  }
}

/* What the window's thread does for each frame of the fifty boxes, once they have fallen on each other. */
static void
test_fifty_boxes_drawn (void)
{
  g_autofree char *text = fifty_boxes ();
  g_autoptr (SsappSandbox) sandbox = make (text, NULL);
  enum { WIDTH = 900, HEIGHT = 650 };
  const int n_frames = ss_test_is_coarse () ? 6 : 60; /* the rest measures */
  const double bounds[4] = {-1, 0, 3, 3};
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  SsappSceneFlags flags = {0}; /* more than 20 bodies have no names while they are live */
  SsappCamera camera;
  SsappStyle style;
  SsView *view = NULL;
  SsError err;
  double marks_seconds = 0, draw_seconds = 0;

  step (sandbox, ss_test_is_coarse () ? 20 : 120);
  g_autofree double *row = dup_frame (sandbox);
  SS_CHECK (ss_view_new (ssapp_sandbox_get_scenario (sandbox), ssapp_sandbox_get_channels (sandbox),
                         ssapp_sandbox_get_n_channels (sandbox), &view, &err) == SS_OK);
  if (view == NULL)
    return;
  g_autofree SsMark *marks = g_new0 (SsMark, ss_view_n_marks (view));
  ssapp_style_init (&style, FALSE);
  ssapp_camera_fit (&camera, bounds, WIDTH, HEIGHT, 10);
  for (int i = 0; i < n_frames; i++) {
    double start = ss_clock_thread_cpu (), between;
    ss_view_frame (view, row, marks);
    between = ss_clock_thread_cpu ();
    ssapp_draw_marks (cr, &style, &camera, marks, ss_view_n_marks (view), &flags);
    marks_seconds += between - start;
    draw_seconds += ss_clock_thread_cpu () - between;
  }
  printf ("# 50 boxes: %d marks, %.2f ms to make and %.2f ms to draw a frame\n", ss_view_n_marks (view),
          1e3 * marks_seconds / n_frames, 1e3 * draw_seconds / n_frames);
  ss_view_free (view);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
main (void)
{
  SS_RUN_THREADS (test_real_time);
  SS_RUN_THREADS (test_mailbox);
  SS_RUN_THREADS (test_contacts_of_many_bodies);
  SS_RUN_THREADS (test_drag_and_throw);
  SS_RUN_THREADS (test_a_hand_holds_what_it_took);
  SS_RUN_THREADS (test_drag_bounds);
  SS_RUN_THREADS (test_rewind);
  SS_RUN_THREADS (test_memory_bound);
  if (ss_test_is_long () && !ss_test_is_coarse ())
    SS_RUN_THREADS (test_an_hour);
  SS_RUN_THREADS (test_parameter);
  SS_RUN_THREADS (test_methods);
  SS_RUN_THREADS (test_every_integrator);
  SS_RUN_THREADS (test_failure);
  SS_RUN_THREADS (test_keep);
  SS_RUN_THREADS (test_played);
  SS_RUN_THREADS (test_keep_warnings);
  SS_RUN_THREADS (test_rows_within_steps);
  SS_RUN_THREADS (test_shutdown);
  SS_RUN_THREADS (test_fifty_boxes);
  SS_RUN_THREADS (test_fifty_boxes_drawn);
  return ss_test_finish ();
}
