/* app/session/ssapp-pulling.c: see the header. */
#include "app/session/ssapp-pulling.h"

#include "app/base/ssapp-text.h"
#include "app/job/ssapp-pull.h"
#include "app/session/ssapp-pull-work.h"
#include "app/session/ssapp-session-private.h"
#include "core/ss-event-kind.h"
#include "scene/ss-number.h"
#include "simulate/ss-simulate.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* A tenth of a millimetre is reached: the sheet shows no less. [m] */
static const double PULLED = 1e-4;

typedef enum { PULLED_BODY, PULLED_POINT, PULLED_EVENT } Pulled;

struct _SsappPulling {
  GObject parent_instance;
  SsappSession *session;
  GHashTable *ticks;         /* of names, as set */
  gboolean is_usual;         /* nobody has ticked anything */
  const char *usual;         /* ends of the names that are ticked then: "vx/vy" */
  SsappPullWork *work;       /* NULL: no pull was begun */
  GError *refusal;           /* of the pull that was last asked for; NULL: it began */
  gboolean is_on, is_ending; /* ending: the last wish is waited for */
  Pulled pulled;
  char *what; /* "ball", "ball.vy", "impact 1 of floor-ball" */
  double t, wish[2];
  SsPull answer;
  SsReach band;
  gboolean has_answer, has_band;
  int axis;
  guint step;    /* of the document, of this pull */
  GArray *times; /* of gint64 [us], of answers */
};

enum { PULLING_CHANGED, PULLING_N_SIGNALS };
static guint pulling_signals[PULLING_N_SIGNALS];

G_DEFINE_FINAL_TYPE (SsappPulling, ssapp_pulling, G_TYPE_OBJECT)

/* ---- answers into the document ----------------------------------------------------------------------------------- */

static void
note_time (SsappPulling *self)
{
  const gint64 now = g_get_monotonic_time ();

  g_array_append_val (self->times, now);
  while (self->times->len > 0 && now - g_array_index (self->times, gint64, 0) > G_TIME_SPAN_SECOND)
    g_array_remove_index (self->times, 0);
}

static void
leave_work (SsappPulling *self)
{
  SsappPullWork *work = g_steal_pointer (&self->work);

  self->has_band = FALSE;
  if (work == NULL)
    return;
  g_mutex_lock (&work->mutex);
  work->owner = NULL;
  work->is_over = TRUE;
  ss_run_control_stop (&work->control, SS_OUTCOME_CANCELLED);
  if (work->is_thorough)
    ss_run_control_stop (&work->thorough, SS_OUTCOME_CANCELLED);
  g_cond_signal (&work->cond);
  g_mutex_unlock (&work->mutex);
  ssapp_pull_work_unref (work);
}

static void
finish (SsappPulling *self, gboolean keeps)
{
  if (!self->is_on)
    return;
  self->is_on = self->is_ending = FALSE;
  leave_work (self);
  ssapp_document_finish_gesture (ssapp_session_get_document (self->session), keeps);
  g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
}

static gboolean
on_pull_told (gpointer data)
{
  SsappPullWork *work = data;
  SsappPulling *self = work->owner;
  gboolean has_answer = FALSE, is_end = FALSE;

  g_mutex_lock (&work->mutex);
  work->is_posted = FALSE;
  if (self != NULL && self->work == work && self->is_on) {
    has_answer = work->has_answer;
    if (has_answer) {
      ss_pull_clear (&self->answer);
      self->answer = work->answer;
      work->answer = (SsPull){0};
      work->has_answer = FALSE;
      self->has_answer = TRUE;
    }
    self->has_band = work->has_band;
    self->band = work->band; /* borrowed from the work */
    self->axis = work->axis;
    is_end = self->is_ending && work->n_answered == work->n_wishes;
  }
  g_mutex_unlock (&work->mutex);
  if (has_answer) {
    note_time (self);
    if (ssapp_document_get_step (ssapp_session_get_document (self->session)) != self->step) { /* another edit came */
      finish (self, TRUE);
      ssapp_pull_work_unref (work);
      return G_SOURCE_REMOVE;
    }
    (void)ssapp_document_set_source_as (ssapp_session_get_document (self->session), self->answer.scenario, NULL, NULL);
  }
  if (is_end)
    finish (self, TRUE);
  else if (self != NULL && self->work == work)
    g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
  ssapp_pull_work_unref (work);
  return G_SOURCE_REMOVE;
}

/* ---- what may change --------------------------------------------------------------------------------------------- */

GPtrArray *
ssapp_pulling_list_causes (SsappPulling *self, const char *body)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), NULL);
  static const char *const starts[] = {"vx", "vy", "omega", "x", "y", "theta"};
  const SsScenario *scenario = ssapp_document_get_scenario (ssapp_session_get_document (self->session));
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; body != NULL && i < G_N_ELEMENTS (starts); i++) {
    g_autofree char *name = g_strdup_printf ("%s.%s", body, starts[i]);
    SsNumber number;
    if (ss_scenario_number (scenario, name, &number, NULL) == SS_OK)
      g_ptr_array_add (list, g_steal_pointer (&name));
  }
  for (int i = 0; i < scenario->n_parameters; i++)
    g_ptr_array_add (list, g_strdup (scenario->parameters[i].name));
  return list;
}

static gboolean
has_word (const char *words, const char *word)
{
  g_auto (GStrv) list = g_strsplit (words, "/", -1);

  return g_strv_contains ((const char *const *)list, word);
}

gboolean
ssapp_pulling_is_ticked (SsappPulling *self, const char *cause)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self) && cause != NULL, FALSE);
  const char *dot = strrchr (cause, '.');

  if (!self->is_usual)
    return g_hash_table_contains (self->ticks, cause);
  return dot != NULL && has_word (self->usual, dot + 1);
}

void
ssapp_pulling_tick (SsappPulling *self, const char *cause, gboolean is_ticked)
{
  g_return_if_fail (SSAPP_IS_PULLING (self) && cause != NULL);
  self->is_usual = FALSE;
  if (is_ticked)
    g_hash_table_add (self->ticks, g_strdup (cause));
  else
    g_hash_table_remove (self->ticks, cause);
  g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
}

/* ---- a pull ------------------------------------------------------------------------------------------------------ */

static gboolean
fill_ask (SsappPulling *self, SsappFitAsk *ask, const char *body, GError **error)
{
  SsappDocument *document = ssapp_session_get_document (self->session);
  g_autoptr (GPtrArray) causes = ssapp_pulling_list_causes (self, body),
                        methods = ssapp_session_list_simulators (self->session);
  const SsMethod *method = g_ptr_array_index (methods, 0);
  g_autoptr (GString) names = g_string_new (NULL);
  SsScenario *scenario = NULL;
  SsProblems problems;
  const char *text = ssapp_document_get_text (document);

  for (guint i = 0; i < causes->len; i++)
    if (ssapp_pulling_is_ticked (self, g_ptr_array_index (causes, i)))
      g_string_append_printf (names, "%s%s", names->len > 0 ? "," : "", (char *)g_ptr_array_index (causes, i));
  if (names->len == 0)
    return ssapp_fail_input (error, _ ("Nothing may change: tick the start velocity, or a parameter"));
  ss_problems_init (&problems);
  const SsStatus status = ss_scenario_read (text, strlen (text), NULL, NULL, 0, &problems, &scenario);
  ss_problems_clear (&problems);
  if (status != SS_OK)
    return ssapp_fail_input (error, _ ("The sketch cannot be read"));
  ssapp_fit_ask_init (ask, scenario);
  if (!ssapp_fit_ask_set_method (ask, method->name, error) || !ssapp_fit_ask_set_free (ask, names->str, error))
    return FALSE;
  for (int i = 0; i < ssapp_session_n_options (self->session, method); i++) {
    const char *name = ssapp_session_get_option_spec (self->session, method, i)->name,
               *value = ssapp_session_option_text (self->session, method, name);
    if (value != NULL && !ssapp_fit_ask_set_option (ask, name, value, error))
      return FALSE;
  }
  return TRUE;
}

/* What is pulled, and where it is; takes the formulas. */
typedef struct {
  Pulled pulled;
  const char *body;
  char *what; /* taken */
  double t, t_end, at[2], tolerance;
  char *formulas[2];
} PullAsk;

static gboolean
begin (SsappPulling *self, PullAsk pull, GError **error)
{
  SsappFitAsk ask = {0};
  g_autofree char *what = pull.what, *x = pull.formulas[0], *y = pull.formulas[1];

  finish (self, TRUE); /* one that still ends */
  leave_work (self);
  g_clear_error (&self->refusal);
  if (!(pull.t > 0))
    (void)ssapp_fail_input (&self->refusal, _ ("The motion is pulled at a later time: move the clock on"));
  if (self->refusal != NULL || !fill_ask (self, &ask, pull.body, &self->refusal)) {
    ssapp_fit_ask_clear (&ask);
    if (error != NULL)
      *error = g_error_copy (self->refusal);
    g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
    return FALSE;
  }
  SsappPullWork *work = g_new0 (SsappPullWork, 1);
  g_autofree char *label = pull.pulled == PULLED_EVENT ? g_strdup_printf (_ ("Pull %s"), what)
                                                       : g_strdup_printf (_ ("Pull %s at %.3f s"), what, pull.t);
  g_atomic_ref_count_init (&work->refs);
  g_mutex_init (&work->mutex);
  g_cond_init (&work->cond);
  ss_run_control_init (&work->control);
  work->owner = self;
  work->told = on_pull_told;
  work->ask = ask;
  work->t_end = pull.t_end;
  work->tolerance = pull.tolerance;
  if (pull.pulled == PULLED_EVENT && !ask.job.method->has_own_steps && ask.job.method->integrator->sensitivity == NULL)
    work->tolerance = MAX (work->tolerance, 0.51 * ask.scenario->task.dt);
  work->n_axes = y != NULL ? 2 : 1;
  work->axis = self->axis = y != NULL ? -1 : 0;
  for (int k = 0; k < 2; k++)
    work->at[k] = work->wish[k] = self->wish[k] = pull.at[k];
  work->formulas[0] = g_steal_pointer (&x);
  work->formulas[1] = g_steal_pointer (&y);
  ss_pull_clear (&self->answer);
  self->has_answer = FALSE;
  self->t = pull.t;
  self->pulled = pull.pulled;
  g_free (self->what);
  self->what = g_steal_pointer (&what);
  g_array_set_size (self->times, 0);
  self->work = work;
  self->is_on = TRUE;
  ssapp_document_begin_gesture (ssapp_session_get_document (self->session), label);
  self->step = ssapp_document_get_step (ssapp_session_get_document (self->session));
  ssapp_pull_work_start (work);
  g_signal_emit (self, pulling_signals[PULLING_CHANGED], 0);
  return TRUE;
}

gboolean
ssapp_pulling_begin (SsappPulling *self, const char *body, double t, double x, double y, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self) && body != NULL, FALSE);
  const PullAsk pull = {
      .pulled = PULLED_BODY,
      .body = body,
      .what = g_strdup (body),
      .t = t,
      .t_end = t,
      .at = {x, y},
      .tolerance = PULLED,
      .formulas = {g_strdup_printf ("final(%s.%c)", body, 'x'), g_strdup_printf ("final(%s.%c)", body, 'y')}};

  self->usual = "vx";
  return begin (self, pull, error);
}

static gboolean
is_movable (const SsScene *scene, int body)
{
  return body >= 0 && !ss_body_is_immovable (&scene->bodies[body]);
}

/* Which of both can move, the first rather; -1: none. */
static int
movable_of (const SsScene *scene, int a, int b)
{
  return is_movable (scene, a) ? a : is_movable (scene, b) ? b : -1;
}

/* The body of that name, the first that can move of that contact or joint; it is selected. NULL: there is none, and
 * the selected one is meant if it can move. */
static const char *
take_body (SsappPulling *self, const char *owner)
{
  SsappDocument *document = ssapp_session_get_document (self->session);
  const SsScene *scene = ssapp_document_get_scenario (document)->scene;
  const int body = ss_scene_find (scene, SS_OWNER_BODY, owner),
            contact = ss_scene_find (scene, SS_OWNER_CONTACT, owner),
            joint = ss_scene_find (scene, SS_OWNER_JOINT, owner);
  int found = body >= 0 && is_movable (scene, body) ? body : -1;

  if (found < 0 && contact >= 0)
    found = movable_of (scene, scene->contacts[contact].body_a, scene->contacts[contact].body_b);
  if (found < 0 && joint >= 0)
    found = movable_of (scene, scene->joints[joint].body_a, scene->joints[joint].body_b);
  if (found >= 0)
    ssapp_document_select (document, scene->bodies[found].name);
  else
    found = ssapp_document_get_selected_index (document);
  return scene != NULL && is_movable (scene, found) ? scene->bodies[found].name : NULL;
}

gboolean
ssapp_pulling_begin_point (SsappPulling *self, const SsChannel *channel, double t, double value, double tolerance,
                           GError **error)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self) && channel != NULL, FALSE);
  static const struct {
    const char *quantities, *usual;
  } likely[] = {{"x/vx", "vx"}, {"y/vy", "vy"}, {"theta/omega", "omega"}};
  g_autofree char *name = g_strdelimit (g_strdup (channel->name), "-", '_');

  self->usual = "vx/vy";
  for (guint i = 0; i < G_N_ELEMENTS (likely); i++)
    if (has_word (likely[i].quantities, ss_quantity_name (channel->quantity)))
      self->usual = likely[i].usual;
  return begin (self,
                (PullAsk){.pulled = PULLED_POINT,
                          .body = take_body (self, channel->owner_name),
                          .what = g_strdup (channel->name),
                          .t = t,
                          .t_end = t,
                          .at = {value, 0},
                          .tolerance = tolerance,
                          .formulas = {g_strdup_printf ("final(%s)", name), NULL}},
                error);
}

gboolean
ssapp_pulling_begin_event (SsappPulling *self, const SsappRunEvent *event, int number, double tolerance, GError **error)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self) && event != NULL && number > 0, FALSE);
  const char *kind = ss_event_kind_name (event->kind), *subject = ssapp_run_event_subject (event);

  self->usual = "vx/vy";
  return begin (self,
                (PullAsk){.pulled = PULLED_EVENT,
                          .body = take_body (self, subject),
                          .what = g_strdup_printf (_ ("%s %d of %s"), kind, number, subject),
                          .t = event->t,
                          .t_end = NAN,
                          .at = {event->t, 0},
                          .tolerance = tolerance,
                          .formulas = {ssapp_pull_event_formula (kind, subject, number), NULL}},
                error);
}

gboolean
ssapp_pulling_is_on (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), FALSE);
  return self->is_on;
}

double
ssapp_pulling_get_time (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), (double)NAN);
  return self->pulled == PULLED_EVENT ? self->wish[0] : self->t;
}

void
ssapp_pulling_move (SsappPulling *self, double x, double y)
{
  g_return_if_fail (SSAPP_IS_PULLING (self));
  if (!self->is_on)
    return;
  self->wish[0] = x;
  self->wish[1] = y;
  g_mutex_lock (&self->work->mutex);
  self->work->wish[0] = x;
  self->work->wish[1] = y;
  self->work->has_wish = TRUE;
  self->work->n_wishes++;
  if (self->work->is_thorough)
    ss_run_control_stop (&self->work->thorough, SS_OUTCOME_CANCELLED);
  g_cond_signal (&self->work->cond);
  g_mutex_unlock (&self->work->mutex);
}

void
ssapp_pulling_end (SsappPulling *self)
{
  g_return_if_fail (SSAPP_IS_PULLING (self));
  if (!self->is_on)
    return;
  g_mutex_lock (&self->work->mutex);
  self->is_ending = self->work->has_answer || self->work->n_answered < self->work->n_wishes;
  g_mutex_unlock (&self->work->mutex);
  if (!self->is_ending)
    finish (self, TRUE);
}

void
ssapp_pulling_cancel (SsappPulling *self)
{
  g_return_if_fail (SSAPP_IS_PULLING (self));
  finish (self, FALSE);
}

/* ---- what came of it --------------------------------------------------------------------------------------------- */

const SsPull *
ssapp_pulling_get_answer (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), NULL);
  return self->has_answer ? &self->answer : NULL;
}

const SsReach *
ssapp_pulling_get_band (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), NULL);
  return self->has_band ? &self->band : NULL;
}

void
ssapp_pulling_get_places (SsappPulling *self, double wish[2], double place[2])
{
  g_return_if_fail (SSAPP_IS_PULLING (self) && wish != NULL && place != NULL);
  const SsTrajectory *motion = self->has_answer ? self->answer.motion : NULL;

  for (int k = 0; k < 2; k++) {
    g_autofree char *name = g_strdup_printf ("%s.%c", self->what != NULL ? self->what : "", "xy"[k]);
    const int channel = motion != NULL && self->pulled == PULLED_BODY ? ss_trajectory_channel (motion, name) : -1;
    wish[k] = self->wish[k];
    place[k] = channel >= 0 ? ss_trajectory_row (motion, motion->n_rows - 1)[channel] : NAN;
  }
  if (self->has_answer && self->pulled != PULLED_BODY)
    place[0] = self->answer.outcomes[0].value;
}

double
ssapp_pulling_get_rate (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), (double)NAN);
  const guint n = self->times->len;

  if (n < 2)
    return NAN;
  const gint64 took = g_array_index (self->times, gint64, n - 1) - g_array_index (self->times, gint64, 0);
  return took > 0 ? (n - 1) * (double)G_TIME_SPAN_SECOND / (double)took : NAN;
}

double
ssapp_pulling_get_cpu (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), (double)NAN);
  return self->has_answer ? self->answer.cpu_seconds : NAN;
}

/* "0.0123 m", "0.0042 s". */
static char *
describe_misfit (SsappPulling *self, const double wish[2], const double place[2])
{
  const int axis = MAX (self->axis, 0);

  if (self->pulled != PULLED_BODY)
    return g_strdup_printf ("%.3g %s", fabs (place[0] - wish[0]), self->answer.outcomes[0].unit);
  return g_strdup_printf ("%.4f m", self->axis >= 0 ? fabs (place[axis] - wish[axis])
                                                    : hypot (place[0] - wish[0], place[1] - wish[1]));
}

static char *
describe_place (SsappPulling *self, const char *subject, const double place[2])
{
  if (self->pulled == PULLED_POINT)
    return g_strdup_printf (_ ("%s pulled to %.4g %s"), subject, place[0], self->answer.outcomes[0].unit);
  if (self->pulled == PULLED_EVENT)
    return g_strdup_printf (_ ("%s pulled to %.4f s"), subject, place[0]);
  if (self->axis < 0)
    return g_strdup_printf (_ ("%s pulled to x %.3f m, y %.3f m"), subject, place[0], place[1]);
  return g_strdup_printf (_ ("%s pulled to %c %.3f m, %c follows"), subject, "xy"[self->axis], place[self->axis],
                          "yx"[self->axis]);
}

/* What stands in the way, with what is pulled in place of its formula. */
static char *
describe_reason (SsappPulling *self, const SsScene *scene)
{
  g_autofree char *text = ssapp_pull_verdict_text (scene, &self->answer);
  GString *words = g_string_new (text);

  for (int i = 0; i < self->answer.n_wants; i++) {
    const char *formula = self->answer.outcomes[i].formula;
    const char *axis = g_str_has_suffix (formula, ".y)") ? "y" : "x";
    g_autofree char *name = self->pulled == PULLED_EVENT   ? g_strdup_printf (_ ("the time of %s"), self->what)
                            : self->pulled == PULLED_POINT ? g_strdup (self->what)
                                                           : g_strdup_printf (_ ("%s of %s"), axis, self->what);
    g_string_replace (words, formula, name, 0);
  }
  return g_string_free (words, FALSE);
}

char *
ssapp_pulling_describe (SsappPulling *self)
{
  g_return_val_if_fail (SSAPP_IS_PULLING (self), NULL);
  const SsScene *scene = ssapp_document_get_scenario (ssapp_session_get_document (self->session))->scene;
  double wish[2], place[2];

  if (self->refusal != NULL)
    return g_strdup (self->refusal->message);
  if (!self->has_answer)
    return g_strdup (self->is_on ? _ ("Drag to where it is to be") : "");
  ssapp_pulling_get_places (self, wish, place);
  g_autofree char *subject =
      self->pulled == PULLED_EVENT ? g_strdup (self->what) : g_strdup_printf (_ ("%s at %.3f s"), self->what, self->t);
  if (self->answer.is_reached)
    return describe_place (self, subject, place);
  g_autofree char *off = describe_misfit (self, wish, place);
  if (self->answer.stop == SS_PULL_EARLY || scene == NULL) /* the reason is still looked for */
    return g_strdup_printf (_ ("%s: not reached, %s off"), subject, off);
  g_autofree char *why = describe_reason (self, scene);
  return g_strdup_printf (_ ("%s: %s off. %s"), subject, off, why);
}

/* ---- object ------------------------------------------------------------------------------------------------------ */

static void
ssapp_pulling_finalize (GObject *object)
{
  SsappPulling *self = SSAPP_PULLING (object);

  leave_work (self);
  ss_pull_clear (&self->answer);
  g_hash_table_unref (self->ticks);
  g_array_unref (self->times);
  g_free (self->what);
  g_clear_error (&self->refusal);
  G_OBJECT_CLASS (ssapp_pulling_parent_class)->finalize (object);
}

static void
ssapp_pulling_class_init (SsappPullingClass *class)
{
  G_OBJECT_CLASS (class)->finalize = ssapp_pulling_finalize;
  pulling_signals[PULLING_CHANGED] =
      g_signal_new ("changed", SSAPP_TYPE_PULLING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ssapp_pulling_init (SsappPulling *self)
{
  self->ticks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->is_usual = TRUE;
  self->usual = "vx";
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
}

SsappPulling *
ssapp_pulling_new (SsappSession *session)
{
  g_return_val_if_fail (SSAPP_IS_SESSION (session), NULL);
  SsappPulling *self = g_object_new (SSAPP_TYPE_PULLING, NULL);

  self->session = session;
  return self;
}
