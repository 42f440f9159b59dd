/* app/job/ssapp-race.c: see the header. */
#include "app/job/ssapp-race.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-record.h"

#include <math.h>

enum { MAX_MEMBERS = 128 }; /* of a list that came from elsewhere */

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

static const char *
state_word (int state)
{
  return ss_member_state_name ((SsMemberState)state);
}

static const char *
mark_word (int mark)
{
  return ss_member_mark_name ((SsMemberMark)mark);
}

static const SsappRecordField member_fields[] = {
    SSAPP_FIELD (SsappMember, own.name, "name", TEXT, "", "unique in the race"),
    SSAPP_FIELD (SsappMember, own.label, "label", TEXT, "", "what people call it"),
    SSAPP_FIELD (SsappMember, own.summary, "summary", STRING, "", "what it does"),
    SSAPP_FIELD_OF (SsappMember, own.state, "state", WORD, state_word, SS_MEMBER_STATES, SS_MEMBER_WAITING,
                    "how far it is"),
    SSAPP_FIELD (SsappMember, own.is_best, "best", FLAG, "",
                 "the cheapest honest answer so far; at the end the winner"),
    SSAPP_FIELD (SsappMember, own.began, "began", REAL, "s", "since the race's start; null: not yet"),
    SSAPP_FIELD (SsappMember, own.ended, "ended", REAL, "s", "since the race's start; null: not yet"),
    SSAPP_FIELD (SsappMember, own.cpu, "cpu", REAL, "s", "CPU time that it took"),
    SSAPP_FIELD (SsappMember, own.objective, "objective", REAL, "",
                 "of its answer; while it runs of its newest iterate"),
    SSAPP_FIELD (SsappMember, own.violation, "violation", REAL, "",
                 "of its answer; while it runs of its newest iterate"),
    SSAPP_FIELD (SsappMember, own.tenth, "replay", REAL, "m",
                 "from the goals to its replay's end at a tenth of the step"),
    SSAPP_FIELD (SsappMember, own.held, "feedback", REAL, "m", "the same of a replay held on its plan by LQR"),
    SSAPP_FIELD (SsappMember, own.is_on_front, "front", FLAG, "", "on the race's front, at the end"),
    SSAPP_FIELD_OF (SsappMember, own.marks, "marks", WORDS, mark_word, SS_MEMBER_MARKS, 0,
                    "what it is best in on the front"),
    SSAPP_FIELD (SsappMember, own.reason, "reason", TEXT, "", "why it is no success; else empty"),
    SSAPP_FIELD (SsappMember, run, "run", LABEL, "", "id of its answer's run; null: nothing is kept")};
static const SsappRecord member_record = SSAPP_RECORD (SsappMember, member_fields);

static const SsappRecordField race_fields[] = {
    SSAPP_FIELD (SsappRace, account, "account", STRING, "", "the race in words"),
    SSAPP_FIELD_MADE_OF (SsappRace, members, "members", LIST, &member_record, false, "in the order of their start")};
const SsappRecord ssapp_race_record = SSAPP_RECORD (SsappRace, race_fields);

json_t *
ssapp_race_to_json (const SsMember *members, int n, const char *run, const json_t *solutions)
{
  g_autoptr (GArray) told = g_array_new (FALSE, TRUE, sizeof (SsappMember));
  char account[640];

  for (int i = 0; i < n; i++) {
    const SsappMember member = {members[i], (char *)run_of (&members[i], run, solutions)}; /* only read */
    g_array_append_val (told, member);
  }
  ss_members_describe (members, n, account, sizeof account);
  return ssapp_record_to_json (&ssapp_race_record, &(SsappRace){account, told});
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

static char **
names_of (const GArray *members)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < members->len; i++)
    g_ptr_array_add (names, g_strdup (g_array_index (members, SsappMember, i).own.label));
  g_ptr_array_add (names, NULL);
  return (char **)g_ptr_array_free (names, FALSE);
}

SsappRace *
ssapp_race_from_json (const json_t *race)
{
  if (!json_is_array (json_object_get (race, "members")))
    return NULL;
  SsappRace *self = g_new0 (SsappRace, 1);
  ssapp_record_from_json (&ssapp_race_record, race, self);
  for (guint i = MAX_MEMBERS; i < self->members->len; i++)
    ssapp_record_clear (&member_record, &g_array_index (self->members, SsappMember, i));
  g_array_set_size (self->members, MIN (self->members->len, (guint)MAX_MEMBERS));
  self->names = names_of (self->members);
  return self;
}

void
ssapp_race_free (SsappRace *race)
{
  if (race != NULL) {
    ssapp_record_clear (&ssapp_race_record, race);
    g_strfreev (race->names);
  }
  g_free (race);
}

const char *
ssapp_member_state_words (const SsappMember *member)
{
  g_return_val_if_fail (member != NULL, NULL);
  return member->own.is_best && member->own.state == SS_MEMBER_SOLVED ? "Best"
                                                                      : ss_member_state_words (member->own.state);
}

/* Of a race that has ended: 0 the winner, 1 another on the front, 2 an honest answer, 3 the rest. */
static int
class_of (const SsappMember *member)
{
  return member->own.state != SS_MEMBER_SOLVED ? 3 : member->own.is_best ? 0 : member->own.is_on_front ? 1 : 2;
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
  if (class_of (one) < 3 && one->own.objective != other->own.objective)
    return one->own.objective < other->own.objective ? -1 : 1;
  return i < j ? -1 : 1;
}

guint *
ssapp_race_rank (const SsappRace *race)
{
  g_return_val_if_fail (race != NULL, NULL);
  guint *order = g_new (guint, race->members->len + 1);
  gboolean has_ended = TRUE;

  for (guint i = 0; i < race->members->len; i++) {
    const SsMemberState state = g_array_index (race->members, SsappMember, i).own.state;
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
  g_return_val_if_fail (member != NULL, NULL);
  g_autofree char *words = g_ascii_strdown (ssapp_member_state_words (member), -1);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s: %s", member->own.label, words);
  if (isfinite (member->own.began))
    g_string_append_printf (text, ", from %.2f s", member->own.began);
  if (isfinite (member->own.ended))
    g_string_append_printf (text, " to %.2f s", member->own.ended);
  if (isfinite (member->own.objective))
    g_string_append_printf (text, ", objective %.5g", member->own.objective);
  if (isfinite (member->own.violation))
    g_string_append_printf (text, ", violation %.1e", member->own.violation);
  if (isfinite (member->own.tenth))
    g_string_append_printf (text, ", replay %.2g m off", member->own.tenth);
  if (isfinite (member->own.held))
    g_string_append_printf (text, ", under feedback %.2g m", member->own.held);
  if (member->own.reason[0] != '\0')
    g_string_append_printf (text, "; %s", member->own.reason);
  return g_string_free (text, FALSE);
}

/* ---- the front --------------------------------------------------------------------------------------------------- */

char *
ssapp_member_dup_marks (const SsappMember *member)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!member->own.is_on_front)
    return NULL;
  for (int mark = 0; mark < SS_MEMBER_MARKS; mark++) {
    g_autofree char *lower = g_ascii_strdown (ss_member_mark_words ((SsMemberMark)mark), -1);
    if ((member->own.marks & 1u << mark) != 0)
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
  g_return_val_if_fail (member != NULL, NULL);
  g_autofree char *marks = ssapp_member_dup_marks (member), *words = g_ascii_strdown (marks != NULL ? marks : "", -1);
  GString *text = g_string_new (NULL);

  if (member->own.is_best)
    g_string_append (text, "the answer, ");
  g_string_append_printf (text, "%s%s%s, cost %.5g", words, words[0] != '\0' ? ": " : "", member->own.label,
                          member->own.objective);
  append_distance (text, member->own.tenth, "at a tenth of the step");
  append_distance (text, member->own.held, "under feedback");
  return g_string_free (text, FALSE);
}

const char *
ssapp_race_find_run (const SsappRace *race, const char *mark)
{
  g_return_val_if_fail (race != NULL, NULL);
  for (guint i = 0; i < race->members->len; i++) {
    const SsappMember *member = &g_array_index (race->members, SsappMember, i);
    for (int m = 0; m < SS_MEMBER_MARKS; m++)
      if ((member->own.marks & 1u << m) != 0 && g_strcmp0 (mark, ss_member_mark_name ((SsMemberMark)m)) == 0)
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
    json_array_append_new (list, json_pack ("{s:s, s:s, s:b, s:s?, s:s, s:s?}", "name", member->own.name, "state",
                                            ss_member_state_name (member->own.state), "best", member->own.is_best,
                                            "marks", marks, "reason", member->own.reason, "run", member->run));
  }
  return list;
}
