/* engine/transcribe/ss-transcribe-common.c: what every transcription of a scene does alike: memory and names of the
 * plan, its variables and what they are, breaks of the scene, contacts that are left out. */
#include "transcribe/ss-transcribe-private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 256 };

/* Of a break that is a point but for rounding, in steps. */
static const double break_tolerance = 1e-6;

/* ---- memory and names -------------------------------------------------------------------------------------------- */

void *
ss_transcription_alloc (SsTranscription *t, size_t count, size_t size)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  void *block = ss_arena_alloc (t->arena, count > 0 ? count : 1, size);

  if (block == NULL)
    t->out_of_memory = true;
  return block;
}

const char *
ss_transcription_name (SsTranscription *t, const char *format, ...)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);

  char text[NAME_SIZE];
  const char *copy;
  va_list args;

  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  copy = ss_arena_strdup (t->arena, text);
  if (copy == NULL)
    t->out_of_memory = true;
  return copy != NULL ? copy : "";
}

SsExpr
ss_transcription_number (const SsTranscription *t, const double *number)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);
  return ss_expr_number_at (t->graph, t->inputs, number);
}

SsExpr
ss_transcription_variable (const SsTranscription *t, int variable, int shift)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);
  return ss_graph_input (t->graph, variable + shift * t->n_variables);
}

int
ss_transcription_add_variable (SsTranscription *t, const char *name, SsVariableRole role, double start)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity);
  if (ss_array_reserve ((void **)&t->variables, &t->variable_capacity, t->n_variables + 1, sizeof *t->variables) != 0) {
    t->out_of_memory = true;
    return SS_NO_VARIABLE;
  }
  t->variables[t->n_variables] = (SsPlanVariable){name, role, start};
  return t->n_variables++;
}

void
ss_transcription_clear (SsTranscription *t)
{
  SS_ASSERT (t != NULL);
  ss_free (t->variables);
  ss_free (t->points);
  ss_free (t->rows);
  ss_free (t->blocks);
  ss_free (t->block_rows);
  ss_free (t->costs);
  ss_arena_free (t->scratch);
}

/* ---- what the variables are -------------------------------------------------------------------------------------- */

void
ss_transcription_describe (const SsTranscription *t, SsChannel *about, int variable, SsQuantity quantity,
                           const char *unit, SsOwner owner, const char *owner_name)
{
  if (variable == SS_NO_VARIABLE)
    return;
  about[variable].quantity = quantity;
  about[variable].unit = unit;
  about[variable].owner = owner;
  about[variable].owner_name = ss_transcription_name ((SsTranscription *)t, "%s", owner_name);
}

void
ss_transcription_describe_body (const SsTranscription *t, int b, SsChannel *about)
{
  SS_ASSERT (t != NULL && t->n_points <= t->point_capacity && t->n_rows <= t->row_capacity && b >= 0 &&
             b < t->scene->n_bodies);
  static const SsQuantity q[] = {SS_QUANTITY_POSITION_X, SS_QUANTITY_POSITION_Y, SS_QUANTITY_ANGLE};
  static const SsQuantity v[] = {SS_QUANTITY_VELOCITY_X, SS_QUANTITY_VELOCITY_Y, SS_QUANTITY_ANGULAR_VELOCITY};
  const char *name = t->scene->bodies[b].name;

  for (int k = 0; k < 3; k++) {
    const int of_q = t->q[3 * b + k], of_v = t->v[3 * b + k];

    ss_transcription_describe (t, about, of_q, q[k], ss_quantity_unit (q[k]), SS_OWNER_BODY, name);
    ss_transcription_describe (t, about, of_v, v[k], ss_quantity_unit (v[k]), SS_OWNER_BODY, name);
    if (of_q != SS_NO_VARIABLE)
      about[of_q].is_state = true;
    if (of_v != SS_NO_VARIABLE)
      about[of_v].is_state = true;
  }
  if (t->travel[b] != SS_NO_VARIABLE) {
    const SsJoint *joint = &t->scene->joints[t->tree[b]];
    ss_transcription_describe (t, about, t->travel[b], SS_QUANTITY_JOINT_POSITION,
                               joint->kind == SS_JOINT_PIN ? "rad" : "m", SS_OWNER_JOINT, joint->name);
  }
}

/* ---- steps and contacts ------------------------------------------------------------------------------------------ */

/* Steps end at the breaks of the scene: their times are points, or the plan is refused. */
SsStatus
ss_transcription_check_breaks (const SsScene *scene, const SsPlan *plan, SsError *err)
{
  SS_ASSERT (scene != NULL && scene->n_bodies >= 0);

  const double h = plan->horizon / plan->steps, end = plan->is_time_free ? plan->time_upper : plan->horizon;

  for (int i = 0; i < scene->n_breaks; i++) {
    const double t = scene->breaks[i], k = round (t / h);

    if (!(t > 0 && t < end * (1 - break_tolerance)))
      continue;
    if (plan->is_time_free)
      return ss_error_set (err, SS_ERR_INVALID,
                           "task.breaks: no step of a plan with a free time ends at %.9g s for certain: give the plan "
                           "a fixed time, or no breaks before %.9g s",
                           t, end);
    if (!(fabs (t - k * h) <= break_tolerance * h))
      return ss_error_set (err, SS_ERR_INVALID,
                           "task.breaks: no step of the plan ends at %.9g s, its steps end at multiples of %.9g s: "
                           "choose task.steps or the horizon so that one does",
                           t, h);
  }
  return SS_OK;
}

static void
append_name (const char *reason, const char *name, int n_before, char *text, size_t size)
{
  size_t used = strlen (text);

  snprintf (text + used, size - used, "%s%s%s",
            n_before == 0 && used > 0 ? "; "
            : n_before > 0            ? ", "
                                      : "",
            n_before == 0 ? reason : "", name);
}

bool
ss_transcription_left_out (const SsScenario *source, const SsTranscribeOptions *options, char *text, size_t size)
{
  SS_ASSERT (source != NULL && source->n_parameters >= 0 && text != NULL);
  static const char *const reasons[] = {
      "left out of the plan by task.contacts: ", "left out of the plan because neither body can move: ",
      "left out of the plan because half-planes do not touch each other: "};
  const SsScene *scene = source->scene;
  const SsPlan *plan = source->task.plan;
  SsGapPair pairs[SS_GAP_PAIRS_MAX];

  (void)options;
  text[0] = '\0';
  for (int reason = 0; scene != NULL && plan != NULL && reason < 3; reason++)
    for (int i = 0, next = 0, n = 0; i < scene->n_contacts; i++) {
      const SsContact *c = &scene->contacts[i];
      const SsBody *a = &scene->bodies[c->body_a], *b = &scene->bodies[c->body_b];
      const bool is_candidate = next < plan->n_candidates && plan->candidates[next] == i;
      const bool is_still = ss_body_is_immovable (a) && ss_body_is_immovable (b);
      int n_gaps = 0, why = -1;

      for (int k = 0; k < a->n_shapes * b->n_shapes; k++)
        n_gaps += ss_gap_pairs (&a->shapes[k / b->n_shapes], &b->shapes[k % b->n_shapes], pairs);
      next += is_candidate;
      if (!is_candidate)
        why = 0;
      else if (is_still)
        why = 1;
      else if (n_gaps == 0 && a->n_shapes > 0 && b->n_shapes > 0)
        why = 2;
      if (why == reason)
        append_name (reasons[reason], c->name, n++, text, size);
    }
  return text[0] != '\0';
}
