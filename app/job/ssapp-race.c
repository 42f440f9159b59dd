/* app/job/ssapp-race.c: see the header. */
#include "app/job/ssapp-race.h"

#include "app/base/ssapp-json.h"

#include <math.h>
#include <string.h>

enum { MAX_MEMBERS = 64 }; /* of a list that came from elsewhere */

/* What a result keeps of the member's answer; NULL: nothing. */
static const char *
run_of (const SsMember *member, const char *run, const json_t *solutions)
{
  if (run == NULL || member->solution < 0)
    return NULL;
  return member->solution == 0
             ? run
             : ssapp_json_get_string (json_array_get (solutions, (size_t)member->solution - 1), "run");
}

static json_t *
marks_to_json (unsigned marks)
{
  json_t *list = json_array ();

  for (int mark = 0; mark < SS_MEMBER_MARKS; mark++)
    if ((marks & 1u << mark) != 0)
      json_array_append_new (list, json_string (ss_member_mark_name ((SsMemberMark)mark)));
  return list;
}

static unsigned
marks_from_json (const json_t *list)
{
  unsigned marks = 0;

  for (size_t i = 0; i < json_array_size (list); i++)
    for (int mark = 0; mark < SS_MEMBER_MARKS; mark++)
      if (g_strcmp0 (json_string_value (json_array_get (list, i)), ss_member_mark_name ((SsMemberMark)mark)) == 0)
        marks |= 1u << mark;
  return marks;
}

json_t *
ssapp_race_to_json (const SsMember *members, int n, const char *run, const json_t *solutions)
{
  json_t *list = json_array ();
  char account[640];

  for (int i = 0; i < n; i++) {
    const SsMember *m = &members[i];
    g_autofree char *reason = g_utf8_make_valid (m->reason, -1);
    json_array_append_new (
        list, json_pack ("{s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:s, s:s?}", "name",
                         m->name, "label", m->label, "summary", m->summary, "state", ss_member_state_name (m->state),
                         "best", m->is_best, "began", ssapp_json_real (m->began), "ended", ssapp_json_real (m->ended),
                         "cpu", ssapp_json_real (m->cpu), "objective", ssapp_json_real (m->objective), "violation",
                         ssapp_json_real (m->violation), "replay", ssapp_json_real (m->tenth), "feedback",
                         ssapp_json_real (m->held), "front", m->is_on_front, "marks", marks_to_json (m->marks),
                         "reason", reason, "run", run_of (m, run, solutions)));
  }
  ss_members_describe (members, n, account, sizeof account);
  return json_pack ("{s:s, s:o}", "account", account, "members", list);
}

void
ssapp_race_end (json_t *race)
{
  json_t *member;
  size_t i;

  json_array_foreach (json_object_get (race, "members"), i, member)
  {
    const char *state = ssapp_json_get_string (member, "state");
    if (g_strcmp0 (state, ss_member_state_name (SS_MEMBER_RUNNING)) != 0 &&
        g_strcmp0 (state, ss_member_state_name (SS_MEMBER_WAITING)) != 0)
      continue;
    json_object_set_new (member, "state", json_string (ss_member_state_name (SS_MEMBER_STOPPED)));
    json_object_set_new (member, "reason", json_string ("the run was stopped"));
  }
}

static void
clear_member (gpointer data)
{
  SsappMember *member = data;

  g_free (member->name);
  g_free (member->label);
  g_free (member->summary);
  g_free (member->reason);
  g_free (member->run);
}

static SsMemberState
state_from_name (const char *name)
{
  int state = 0;

  while (state < SS_MEMBER_STATES && g_strcmp0 (name, ss_member_state_name ((SsMemberState)state)) != 0)
    state++;
  return state < SS_MEMBER_STATES ? (SsMemberState)state : SS_MEMBER_WAITING;
}

/* Never NULL. */
static char *
dup_text (const json_t *object, const char *key)
{
  const char *text = ssapp_json_get_string (object, key);
  return g_strdup (text != NULL ? text : "");
}

SsappRace *
ssapp_race_from_json (const json_t *race)
{
  const json_t *list = json_object_get (race, "members"), *item;
  size_t i;

  if (!json_is_array (list))
    return NULL;
  SsappRace *self = g_new0 (SsappRace, 1);
  self->account = dup_text (race, "account");
  self->members = g_array_new (FALSE, TRUE, sizeof (SsappMember));
  g_array_set_clear_func (self->members, clear_member);
  json_array_foreach ((json_t *)list, i, item)
  {
    if (i >= MAX_MEMBERS)
      break;
    const SsappMember member = {.name = dup_text (item, "name"),
                                .label = dup_text (item, "label"),
                                .summary = dup_text (item, "summary"),
                                .reason = dup_text (item, "reason"),
                                .run = g_strdup (ssapp_json_get_string (item, "run")),
                                .state = state_from_name (ssapp_json_get_string (item, "state")),
                                .is_best = json_is_true (json_object_get (item, "best")),
                                .began = ssapp_json_get_real (item, "began"),
                                .ended = ssapp_json_get_real (item, "ended"),
                                .cpu = ssapp_json_get_real (item, "cpu"),
                                .objective = ssapp_json_get_real (item, "objective"),
                                .violation = ssapp_json_get_real (item, "violation"),
                                .tenth = ssapp_json_get_real (item, "replay"),
                                .held = ssapp_json_get_real (item, "feedback"),
                                .is_front = json_is_true (json_object_get (item, "front")),
                                .marks = marks_from_json (json_object_get (item, "marks"))};
    g_array_append_val (self->members, member);
  }
  return self;
}

void
ssapp_race_free (SsappRace *race)
{
  if (race == NULL)
    return;
  g_free (race->account);
  g_array_unref (race->members);
  g_free (race);
}

const char *
ssapp_member_state_words (const SsappMember *member)
{
  return member->is_best && member->state == SS_MEMBER_SOLVED ? "Best" : ss_member_state_words (member->state);
}

/* Of a race that has ended: 0 the winner, 1 another on the front, 2 an honest answer, 3 the rest. */
static int
class_of (const SsappMember *member)
{
  return member->state != SS_MEMBER_SOLVED ? 3 : member->is_best ? 0 : member->is_front ? 1 : 2;
}

static gint
compare_worth (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GArray *members = user_data;
  const guint i = *(const guint *)a, j = *(const guint *)b;
  const SsappMember *one = &g_array_index (members, SsappMember, i), *other = &g_array_index (members, SsappMember, j);
  const int by_class = class_of (one) - class_of (other);

  if (by_class != 0)
    return by_class;
  if (class_of (one) < 3 && one->objective != other->objective)
    return one->objective < other->objective ? -1 : 1;
  return i < j ? -1 : 1;
}

guint *
ssapp_race_rank (const SsappRace *race)
{
  guint *order = g_new (guint, race->members->len + 1);
  gboolean has_ended = TRUE;

  for (guint i = 0; i < race->members->len; i++) {
    const SsMemberState state = g_array_index (race->members, SsappMember, i).state;
    order[i] = i;
    has_ended = has_ended && state != SS_MEMBER_RUNNING && state != SS_MEMBER_WAITING;
  }
  if (has_ended)
    g_qsort_with_data (order, (gint)race->members->len, sizeof *order, compare_worth, race->members);
  return order;
}

char *
ssapp_member_describe (const SsappMember *member)
{
  g_autofree char *words = g_ascii_strdown (ssapp_member_state_words (member), -1);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s: %s", member->label, words);
  if (isfinite (member->began))
    g_string_append_printf (text, ", from %.2f s", member->began);
  if (isfinite (member->ended))
    g_string_append_printf (text, " to %.2f s", member->ended);
  if (isfinite (member->objective))
    g_string_append_printf (text, ", objective %.5g", member->objective);
  if (isfinite (member->violation))
    g_string_append_printf (text, ", violation %.1e", member->violation);
  if (isfinite (member->tenth))
    g_string_append_printf (text, ", replay %.2g m off", member->tenth);
  if (isfinite (member->held))
    g_string_append_printf (text, ", under feedback %.2g m", member->held);
  if (member->reason[0] != '\0')
    g_string_append_printf (text, "; %s", member->reason);
  return g_string_free (text, FALSE);
}

/* ---- the front --------------------------------------------------------------------------------------------------- */

char *
ssapp_member_dup_marks (const SsappMember *member)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!member->is_front)
    return NULL;
  for (int mark = 0; mark < SS_MEMBER_MARKS; mark++) {
    g_autofree char *lower = g_ascii_strdown (ss_member_mark_words ((SsMemberMark)mark), -1);
    if ((member->marks & 1u << mark) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                              text->len > 0 ? lower : ss_member_mark_words ((SsMemberMark)mark));
  }
  return text->len > 0 ? g_strdup (text->str) : g_strdup ("On the front");
}

static void
append_distance (GString *text, double value, const char *where)
{
  if (isnan (value))
    return;
  if (!isfinite (value))
    g_string_append_printf (text, ", no end %s", where);
  else if (value < 0.9995)
    g_string_append_printf (text, ", %.3g mm off %s", 1e3 * value, where);
  else
    g_string_append_printf (text, ", %.3g m off %s", value, where);
}

char *
ssapp_member_describe_front (const SsappMember *member)
{
  g_autofree char *marks = ssapp_member_dup_marks (member), *words = g_ascii_strdown (marks != NULL ? marks : "", -1);
  GString *text = g_string_new (NULL);

  if (member->is_best)
    g_string_append (text, "the answer, ");
  g_string_append_printf (text, "%s%s%s, cost %.5g", words, words[0] != '\0' ? ": " : "", member->label,
                          member->objective);
  append_distance (text, member->tenth, "at a tenth of the step");
  append_distance (text, member->held, "under feedback");
  return g_string_free (text, FALSE);
}

const char *
ssapp_race_find_run (const SsappRace *race, const char *mark)
{
  for (guint i = 0; i < race->members->len; i++) {
    const SsappMember *member = &g_array_index (race->members, SsappMember, i);
    for (int m = 0; m < SS_MEMBER_MARKS; m++)
      if ((member->marks & 1u << m) != 0 && g_strcmp0 (mark, ss_member_mark_name ((SsMemberMark)m)) == 0)
        return member->run;
  }
  return NULL;
}

json_t *
ssapp_race_describe (const SsappRace *race)
{
  json_t *list = race != NULL ? json_array () : json_null ();

  for (guint i = 0; race != NULL && i < race->members->len; i++) {
    const SsappMember *member = &g_array_index (race->members, SsappMember, i);
    g_autofree char *marks = ssapp_member_dup_marks (member);
    json_array_append_new (list, json_pack ("{s:s, s:s, s:b, s:s?, s:s, s:s?}", "name", member->name, "state",
                                            ss_member_state_name (member->state), "best", member->is_best, "marks",
                                            marks, "reason", member->reason, "run", member->run));
  }
  return list;
}
