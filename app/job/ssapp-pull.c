/* app/job/ssapp-pull.c: see the header. */
#include "app/job/ssapp-pull.h"

#include "app/base/ssapp-json.h"
#include "app/draw/ssapp-run-events.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

enum { SEQUENCE_SHOWN = 6 };

gboolean
ssapp_pull_read_want (const char *text, gboolean has_value, double tolerance, SsPullWant *want, GError **error)
{
  g_return_val_if_fail (text != NULL && want != NULL, FALSE);
  const char *sign = strrchr (text, '=');
  /* the sign of "<=" and "==" belongs to the formula */
  const gboolean is_set = sign != NULL && sign > text && strchr ("<>=!", sign[-1]) == NULL && sign[1] != '=';

  *want = (SsPullWant){NULL, NAN, tolerance};
  if (is_set && ss_parse_double (sign + 1, &want->value)) {
    want->formula = g_strndup (text, (gsize)(sign - text));
    return TRUE;
  }
  if (has_value || is_set) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                 "'%s' is not wanted (expected FORMULA=VALUE, such as final(ball.x)=3)", text);
    return FALSE;
  }
  want->formula = g_strdup (text);
  return TRUE;
}

/* ---- in words ---------------------------------------------------------------------------------------------------- */

static char *
event_words (const SsScene *scene, int kind, int subject)
{
  const SsEvent event = {.kind = (SsEventKind)kind, .subject = subject};
  const char *name = ss_event_subject_name (scene, &event);

  return kind == SS_EVENT_IMPACT ? g_strdup (name) : g_strdup_printf ("%s %s", ss_event_kind_name (event.kind), name);
}

char *
ssapp_pull_sequence_text (const SsScene *scene, const SsEventList *events, int most)
{
  g_return_val_if_fail (scene != NULL, NULL);
  GString *text = g_string_new (NULL);
  int n_shown = 0, i = 0;

  while (events != NULL && i < events->n_items && n_shown < most) {
    const SsEvent *event = &events->items[i];
    int n = 0;
    while (i < events->n_items && events->items[i].kind == event->kind && events->items[i].subject == event->subject) {
      n++;
      i++;
    }
    g_autofree char *words = event_words (scene, (int)event->kind, event->subject);
    g_string_append_printf (text, "%s%s %.3g", n_shown > 0 ? " › " : "", words, event->t);
    if (n > 1)
      g_string_append_printf (text, " ×%d", n);
    n_shown++;
  }
  if (events != NULL && i < events->n_items)
    g_string_append_printf (text, " › …, %d in all", events->n_items + events->n_left_out);
  if (text->len == 0)
    g_string_append (text, "no event");
  return g_string_free (text, FALSE);
}

/* "ball.vx = 3.163" where the stop has a cause. */
static char *
place_of (const SsPull *pull)
{
  return pull->cause >= 0 ? g_strdup_printf ("at %s = %.6g", pull->changes[pull->cause].name, pull->at)
                          : g_strdup ("at the nearest");
}

static char *
bounds_of (const SsPull *pull)
{
  GString *text = g_string_new (NULL);

  for (int k = 0; k < pull->n_causes; k++)
    if (pull->changes[k].is_at_bound)
      g_string_append_printf (text, "%s%s is at the end of its range, %.6g", text->len > 0 ? ", " : "",
                              pull->changes[k].name, pull->changes[k].value);
  if (text->len == 0)
    g_string_append (text, "a number is at the end of its range");
  return g_string_free (text, FALSE);
}

char *
ssapp_pull_event_formula (const char *kind, const char *subject, int number)
{
  g_return_val_if_fail (kind != NULL && subject != NULL && number > 0, NULL);
  return g_strdup_printf ("nth(%d, %s %s).t", number, kind, subject);
}

char *
ssapp_pull_verdict_text (const SsScene *scene, const SsPull *pull)
{
  g_return_val_if_fail (scene != NULL && pull != NULL, NULL);
  g_autofree char *place = place_of (pull);
  g_autofree char *event = pull->event_kind >= 0 ? event_words (scene, pull->event_kind, pull->event_subject) : NULL;
  const char *formula = pull->outcomes[0].formula;

  switch (pull->stop) {
  case SS_PULL_NONE:
    return g_strdup_printf ("Reached%s", pull->has_same_sequence ? "" : ", by another sequence of contacts");
  case SS_PULL_BOUND: {
    g_autofree char *bounds = bounds_of (pull);
    return g_strdup_printf ("Not reached: %s", bounds);
  }
  case SS_PULL_HELD:
    return event != NULL ? g_strdup_printf ("Not reached: more of %s changes nothing, %s (%.3g s) holds the motion",
                                            pull->changes[pull->cause].name, event, pull->event_time)
                         : g_strdup_printf ("Not reached: more of %s changes nothing", pull->changes[pull->cause].name);
  case SS_PULL_NO_DEPENDENCE:
    return g_strdup_printf ("Not reached: %s does not depend on what may change", formula);
  case SS_PULL_JUMP:
    return g_strdup_printf ("Not reached: %s %s comes or goes (%.3g s), and %s jumps from %.6g to %.6g", place,
                            event != NULL ? event : "a contact", pull->event_time, formula, pull->less, pull->more);
  case SS_PULL_SEVERAL:
    return g_strdup_printf ("Not reached: %s things happen at once (%s, %.3g s), the law of contact leaves several "
                            "outcomes: %s is %.6g on one side and %.6g on the other",
                            place, event != NULL ? event : "a contact", pull->event_time, formula, pull->less,
                            pull->more);
  case SS_PULL_TURN:
    return event != NULL ? g_strdup_printf ("Not reached: %s the outcome turns back, where %s comes or goes (%.3g s)",
                                            place, event, pull->event_time)
                         : g_strdup_printf ("Not reached: %s the outcome turns back", place);
  case SS_PULL_FAILED:
    return g_strdup_printf ("Not reached: there is no motion beyond: %s", pull->why);
  case SS_PULL_NO_OUTCOME:
    return g_strdup_printf ("Not reached: %s", pull->why);
  case SS_PULL_EARLY:
  default:
    return g_strdup_printf ("Not reached: %s", ss_pull_stop_meaning (pull->stop));
  }
}

/* ---- a pull ------------------------------------------------------------------------------------------------------ */

static json_t *
changes_to_json (const SsPull *pull)
{
  json_t *changes = json_object ();

  for (int k = 0; k < pull->n_causes; k++) {
    const SsPullChange *c = &pull->changes[k];
    json_object_set_new (changes, c->name,
                         json_pack ("{s:o, s:o, s:o, s:o, s:o, s:b}", "was", ssapp_json_real (c->was), "value",
                                    ssapp_json_real (c->value), "lower", ssapp_json_real (c->lower), "upper",
                                    ssapp_json_real (c->upper), "size", ssapp_json_real (c->size), "at_bound",
                                    c->is_at_bound));
  }
  return changes;
}

static json_t *
outcomes_to_json (const SsPull *pull)
{
  json_t *outcomes = json_array ();

  for (int i = 0; i < pull->n_wants; i++) {
    const SsPullOutcome *o = &pull->outcomes[i];
    json_t *slopes = json_object ();
    for (int k = 0; k < pull->n_causes; k++)
      json_object_set_new (slopes, pull->changes[k].name, ssapp_json_real (pull->slopes[i * pull->n_causes + k]));
    json_array_append_new (outcomes, json_pack ("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "formula", o->formula, "unit",
                                                o->unit, "want", ssapp_json_real (o->want), "tolerance",
                                                ssapp_json_real (o->tolerance), "was", ssapp_json_real (o->was),
                                                "value", ssapp_json_real (o->value), "slopes", slopes));
  }
  return outcomes;
}

static json_t *
others_to_json (const SsScene *scene, const SsPull *pull)
{
  json_t *others = json_array ();

  for (int i = 0; i < pull->n_others; i++) {
    g_autofree char *sequence = ssapp_pull_sequence_text (scene, pull->others[i].events, SEQUENCE_SHOWN);
    json_t *values = json_object ();
    for (int k = 0; k < pull->n_causes; k++)
      json_object_set_new (values, pull->changes[k].name, ssapp_json_real (pull->others[i].values[k]));
    json_array_append_new (others, json_pack ("{s:o, s:o, s:s}", "values", values, "change",
                                              ssapp_json_real (pull->others[i].change), "sequence", sequence));
  }
  return others;
}

json_t *
ssapp_pull_to_json (const SsScene *scene, const SsPull *pull)
{
  g_return_val_if_fail (scene != NULL && pull != NULL, NULL);
  g_autofree char *message = ssapp_pull_verdict_text (scene, pull);
  json_t *stop = json_null ();

  if (pull->stop != SS_PULL_NONE)
    stop = json_pack (
        "{s:s?, s:o, s:o, s:o, s:s?, s:s?, s:o}", "number", pull->cause >= 0 ? pull->changes[pull->cause].name : NULL,
        "at", ssapp_json_real (pull->at), "less", ssapp_json_real (pull->less), "more", ssapp_json_real (pull->more),
        "event", pull->event_kind >= 0 ? ss_event_kind_name ((SsEventKind)pull->event_kind) : NULL, "subject",
        pull->event_kind >= 0 ? ss_event_subject_name (scene, &(SsEvent){.kind = (SsEventKind)pull->event_kind,
                                                                         .subject = pull->event_subject})
                              : NULL,
        "t", ssapp_json_real (pull->event_time));
  return json_pack ("{s:i, s:b, s:s, s:s, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:b}, s:o, s:i, s:o}", "format", 1,
                    "reached", pull->is_reached, "verdict", ss_pull_stop_name (pull->stop), "message", message, "stop",
                    stop, "changes", changes_to_json (pull), "change", ssapp_json_real (pull->change), "outcomes",
                    outcomes_to_json (pull), "sequence", "before", ssapp_run_events_to_json (scene, pull->before),
                    "now", ssapp_run_events_to_json (scene, pull->now), "same", pull->has_same_sequence, "others",
                    others_to_json (scene, pull), "simulations", pull->n_simulations, "cpu_seconds",
                    ssapp_json_real (pull->cpu_seconds));
}

SsappTable *
ssapp_pull_changes_to_table (const SsPull *pull)
{
  g_return_val_if_fail (pull != NULL, NULL);
  SsappTable *table = ssapp_table_new (NULL);

  ssapp_table_add_text_column (table, "number", "Number");
  ssapp_table_add_number_column (table, "was", "Was", "", "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "value", "Now", "", "%.9g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "change", "Change", "", "%+.6g", SSAPP_BEST_NONE);
  for (int k = 0; k < pull->n_causes; k++) {
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, pull->changes[k].name);
    ssapp_table_add_number (table, pull->changes[k].was);
    ssapp_table_add_number (table, pull->changes[k].value);
    ssapp_table_add_number (table, pull->changes[k].value - pull->changes[k].was);
  }
  return table;
}

SsappTable *
ssapp_pull_outcomes_to_table (const SsPull *pull)
{
  g_return_val_if_fail (pull != NULL, NULL);
  SsappTable *table = ssapp_table_new (NULL);

  ssapp_table_add_text_column (table, "outcome", "Outcome");
  ssapp_table_add_text_column (table, "unit", "Unit");
  ssapp_table_add_number_column (table, "was", "Was", "", "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "want", "Wanted", "", "%.6g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "value", "Now", "", "%.9g", SSAPP_BEST_NONE);
  ssapp_table_add_number_column (table, "off", "Off", "", "%.1e", SSAPP_BEST_NONE);
  for (int i = 0; i < pull->n_wants; i++) {
    const SsPullOutcome *o = &pull->outcomes[i];
    ssapp_table_begin_row (table);
    ssapp_table_add_text (table, o->formula);
    ssapp_table_add_text (table, o->unit);
    ssapp_table_add_number (table, o->was);
    ssapp_table_add_number (table, o->want);
    ssapp_table_add_number (table, o->value);
    ssapp_table_add_number (table, fabs (o->value - o->want));
  }
  return table;
}

/* ---- what can be reached ----------------------------------------------------------------------------------------- */

gboolean
ssapp_reach_stretch (const SsReach *reach, int index, int *first, int *last)
{
  g_return_val_if_fail (reach != NULL && first != NULL && last != NULL, FALSE);
  if (index > reach->n_edges || reach->n_points == 0)
    return FALSE;
  *first = index > 0 ? reach->edges[index - 1].point + 1 : 0;
  *last = index < reach->n_edges ? reach->edges[index].point : reach->n_points - 1;
  return TRUE;
}

static char *
sequence_of (const SsScene *scene, const SsReach *reach, int sequence)
{
  return sequence >= 0 ? ssapp_pull_sequence_text (scene, reach->sequences[sequence], SEQUENCE_SHOWN)
                       : g_strdup ("no motion");
}

json_t *
ssapp_reach_to_json (const SsScene *scene, const SsReach *reach)
{
  g_return_val_if_fail (scene != NULL && reach != NULL, NULL);
  json_t *outcomes = json_array (), *points = json_array (), *sequences = json_array (), *changes = json_array ();

  for (int i = 0; i < reach->n_wants; i++)
    json_array_append_new (outcomes,
                           json_pack ("{s:s, s:s, s:o}", "formula", reach->outcomes[i].formula, "unit",
                                      reach->outcomes[i].unit, "was", ssapp_json_real (reach->outcomes[i].was)));
  for (int i = 0; i < reach->n_points; i++) {
    const SsReachPoint *p = &reach->points[i];
    json_array_append_new (points, json_pack ("{s:o, s:o, s:o, s:i}", "at", ssapp_json_real (p->at), "values",
                                              ssapp_json_reals (p->values, reach->n_wants), "slopes",
                                              ssapp_json_reals (p->slopes, reach->n_wants), "sequence", p->sequence));
  }
  for (int i = 0; i < reach->n_sequences; i++)
    json_array_append_new (sequences, ssapp_run_events_to_json (scene, reach->sequences[i]));
  for (int i = 0; i < reach->n_edges; i++) {
    const SsReachEdge *e = &reach->edges[i];
    const double at = (reach->points[e->point].at + reach->points[e->point + 1].at) / 2;
    g_autofree char *words = e->event_kind >= 0 ? event_words (scene, e->event_kind, e->event_subject) : NULL;
    json_array_append_new (changes,
                           json_pack ("{s:o, s:i, s:b, s:s?, s:o}", "at", ssapp_json_real (at), "point", e->point,
                                      "jumps", e->is_jump, "event", words, "t", ssapp_json_real (e->event_time)));
  }
  return json_pack ("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}", "number", reach->name, "lower",
                    ssapp_json_real (reach->lower), "upper", ssapp_json_real (reach->upper), "was",
                    ssapp_json_real (reach->was), "outcomes", outcomes, "points", points, "sequences", sequences,
                    "changes_of_sequence", changes, "simulations", reach->n_simulations, "cpu_seconds",
                    ssapp_json_real (reach->cpu_seconds));
}

SsappTable *
ssapp_reach_to_table (const SsScene *scene, const SsReach *reach)
{
  g_return_val_if_fail (scene != NULL && reach != NULL, NULL);
  SsappTable *table = ssapp_table_new (NULL);

  ssapp_table_add_number_column (table, reach->name, reach->name, "", "%.9g", SSAPP_BEST_NONE);
  for (int i = 0; i < reach->n_wants; i++) {
    const SsPullOutcome *o = &reach->outcomes[i];
    g_autofree char *slope = g_strdup_printf ("d %s", o->formula);
    ssapp_table_add_number_column (table, o->formula, o->formula, o->unit, "%.9g", SSAPP_BEST_NONE);
    ssapp_table_add_number_column (table, slope, slope, "", "%.6g", SSAPP_BEST_NONE);
  }
  ssapp_table_add_number_column (table, "sequence", "Sequence", "", "%.0f", SSAPP_BEST_NONE);
  ssapp_table_add_text_column (table, "contacts", "Contacts");
  for (int i = 0; i < reach->n_points; i++) {
    const SsReachPoint *p = &reach->points[i];
    g_autofree char *contacts = sequence_of (scene, reach, p->sequence);
    ssapp_table_begin_row (table);
    ssapp_table_add_number (table, p->at);
    for (int k = 0; k < reach->n_wants; k++) {
      ssapp_table_add_number (table, p->values[k]);
      ssapp_table_add_number (table, p->slopes[k]);
    }
    ssapp_table_add_number (table, p->sequence >= 0 ? p->sequence + 1 : NAN);
    ssapp_table_add_text (table, contacts);
  }
  return table;
}
