/* engine/core/ss-members.c: see the header. */
#include "core/ss-members.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *
ss_member_state_name (SsMemberState state)
{
  static const char *const names[] = {
#define X(id, name, words) name,
      SS_MEMBER_STATE_LIST (X)
#undef X
  };

  SS_ASSERT (state < SS_MEMBER_STATES);
  return names[state];
}

const char *
ss_member_state_words (SsMemberState state)
{
  static const char *const texts[] = {
#define X(id, name, words) words,
      SS_MEMBER_STATE_LIST (X)
#undef X
  };

  SS_ASSERT (state < SS_MEMBER_STATES);
  return texts[state];
}

const char *
ss_member_mark_name (SsMemberMark mark)
{
  static const char *const names[] = {
#define X(id, name, words) name,
      SS_MEMBER_MARK_LIST (X)
#undef X
  };

  SS_ASSERT (mark < SS_MEMBER_MARKS);
  return names[mark];
}

const char *
ss_member_mark_words (SsMemberMark mark)
{
  static const char *const texts[] = {
#define X(id, name, words) words,
      SS_MEMBER_MARK_LIST (X)
#undef X
  };

  SS_ASSERT (mark < SS_MEMBER_MARKS);
  return texts[mark];
}

/* ---- the front --------------------------------------------------------------------------------------------------- */

/* Part, and distance [m], by which a better one is as good. */
static const double AS_GOOD = 0.01, AS_NEAR = 1e-5;

static double
measure_of (const SsMember *m, SsMemberMark mark)
{
  const double value = mark == SS_MEMBER_CHEAPEST ? m->objective : mark == SS_MEMBER_STEADIEST ? m->tenth : m->held;

  return isnan (value) ? INFINITY : value;
}

/* Not farther than another, but for what is not told apart. */
static bool
is_near (double own, double other)
{
  return own <= (1 + AS_GOOD) * other + AS_NEAR;
}

/* Whether `m` comes before `other`, which then must be steadier to be on the front. */
static bool
comes_first (const SsMember *m, const SsMember *other)
{
  const double own = measure_of (m, SS_MEMBER_CHEAPEST), cost = measure_of (other, SS_MEMBER_CHEAPEST);

  return own < cost || (own == cost && (m->tenth < other->tenth || (!(m->tenth > other->tenth) && m < other)));
}

/* In the order of their costs: the first, and each that is steadier than all before it. */
static void
find_front (SsMember *members, int n)
{
  for (SsMember *next = members; next != NULL;) {
    next = NULL;
    for (int i = 0; i < n; i++) {
      SsMember *m = &members[i];
      bool is_open = m->state == SS_MEMBER_SOLVED && !m->is_on_front;

      for (int k = 0; k < n && is_open; k++)
        is_open = !members[k].is_on_front ||
                  (comes_first (&members[k], m) &&
                   !(is_near (measure_of (&members[k], SS_MEMBER_STEADIEST), measure_of (m, SS_MEMBER_STEADIEST)) &&
                     is_near (measure_of (&members[k], SS_MEMBER_HELD), measure_of (m, SS_MEMBER_HELD))));
      if (is_open && (next == NULL || comes_first (m, next)))
        next = m;
    }
    if (next != NULL)
      next->is_on_front = true;
  }
}

void
ss_members_mark (SsMember *members, int n)
{
  SS_ASSERT (n >= 0);
  for (int i = 0; i < n; i++) {
    members[i].is_on_front = false;
    members[i].marks = 0;
  }
  find_front (members, n);
  for (int mark = 0; mark < SS_MEMBER_MARKS; mark++) {
    SsMember *best = NULL;

    for (int i = 0; i < n; i++) {
      SsMember *m = &members[i];
      if (!m->is_on_front || !isfinite (measure_of (m, (SsMemberMark)mark)))
        continue;
      if (best == NULL || measure_of (m, (SsMemberMark)mark) < measure_of (best, (SsMemberMark)mark))
        best = m;
    }
    if (best != NULL)
      best->marks |= 1u << mark;
  }
}

int
ss_members_find (const SsMember *members, int n, SsMemberMark mark)
{
  for (int i = 0; i < n; i++)
    if ((members[i].marks & 1u << mark) != 0)
      return i;
  return -1;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static void SS_PRINTF (3, 4) add (char *text, size_t size, const char *format, ...)
{
  const size_t used = strlen (text);
  va_list list;

  va_start (list, format);
  vsnprintf (text + used, size - used, format, list);
  va_end (list);
}

/* A time as the columns beside the sentence write it: without an exponent. */
static const char *
seconds (double value, char buffer[24])
{
  snprintf (buffer, 24, value < 99.5 ? "%.2g s" : "%.0f s", value);
  return buffer;
}

static int
count (const SsMember *members, int n, SsMemberState state)
{
  int found = 0;

  for (int i = 0; i < n; i++)
    found += members[i].state == state;
  return found;
}

/* Of those in that state the first by its end, or by its objective; NULL: none. */
static const SsMember *
find (const SsMember *members, int n, SsMemberState state, bool by_objective)
{
  const SsMember *found = NULL;

  for (int i = 0; i < n; i++) {
    const SsMember *m = &members[i];
    const double own = by_objective ? m->objective : m->ended;
    if (m->state == state && isfinite (own) &&
        (found == NULL || own < (by_objective ? found->objective : found->ended)))
      found = m;
  }
  return found;
}

static const double SAME = 0.01; /* part of the larger objective by which a cheaper one is as good */
static const double ALL = 99.5;  /* % that are written as 100 */
enum { SAVING_SIZE = 64 };

static bool
is_cheaper (const SsMember *member, const SsMember *than)
{
  return than->objective - member->objective >= SAME * fmax (fabs (than->objective), fabs (member->objective)) &&
         member->objective < than->objective;
}

/* "20 % cheaper"; "cheaper (-0.41 instead of 2.4e-32)" where all of it is saved or more: parts of next to nothing say
 * nothing. */
static const char *
name_saving (const SsMember *member, const SsMember *than, char text[SAVING_SIZE])
{
  const double percent = 100 * (than->objective - member->objective) / fabs (than->objective);

  if (percent < ALL)
    snprintf (text, SAVING_SIZE, "%.0f %% cheaper", percent);
  else
    snprintf (text, SAVING_SIZE, "cheaper (%.3g instead of %.3g)", member->objective, than->objective);
  return text;
}

static void
describe_none (const SsMember *members, int n, char *text, size_t size)
{
  const int n_running = count (members, n, SS_MEMBER_RUNNING), n_waiting = count (members, n, SS_MEMBER_WAITING),
            n_begun = n - n_waiting;
  const SsMember *best = NULL, *found = NULL;
  char after[24];

  for (int i = 0; i < n; i++) {
    if (members[i].is_best)
      best = &members[i];
    if (isfinite (members[i].found) && (found == NULL || members[i].found < found->found))
      found = &members[i];
  }
  if (found != NULL)
    snprintf (text, size, "first honest answer after %s by %s, which went on to improve the answer",
              seconds (found->found, after), found->label);
  else if (n_running > 0)
    snprintf (text, size, "no honest answer yet: %d at work, %d waiting", n_running, n_waiting);
  else
    snprintf (text, size, "none of %d members found an honest answer", n_begun);
  if (n_running == 0 && found == NULL && best != NULL)
    add (text, size, "; nearest came %s", best->label);
}

/* A cheaper answer that did not win. */
static void
describe_cheaper (const SsMember *member, const SsMember *best, char *text, size_t size)
{
  char saving[SAVING_SIZE];

  add (text, size, "; %s is %s, but ", member->label, name_saving (member, best, saving));
  if (member->tenth >= 0)
    add (text, size, "its replay at a tenth of the step ends %.2g m away", member->tenth);
  else
    add (text, size, "was not replayed at a tenth of the step");
}

/* "85 mm", "0.4 mm", "2.1 m". */
static const char *
distance (double value, char buffer[24])
{
  if (value < 0.0995)
    snprintf (buffer, 24, "%.2g mm", 1e3 * value);
  else if (value < 0.995)
    snprintf (buffer, 24, "%.0f mm", 1e3 * value);
  else
    snprintf (buffer, 24, "%.2g m", value);
  return buffer;
}

/* Of what holds better than the answer the cheapest that holds, else the one that holds best; NULL: none does. */
static const SsMember *
find_steadier (const SsMember *members, int n, const SsMember *best)
{
  const SsMember *found = NULL;

  for (int i = 0; i < n; i++) {
    const SsMember *m = &members[i];
    if (m->state == SS_MEMBER_SOLVED && isfinite (m->tenth) && !isnan (best->tenth) && m->loose < best->loose &&
        is_cheaper (best, m) &&
        (found == NULL || m->loose < found->loose || (m->loose == found->loose && m->objective < found->objective)))
      found = m;
  }
  return found;
}

/* A dearer answer that holds better. */
static void
describe_steadier (const SsMember *member, const SsMember *best, char *text, size_t size)
{
  char ends[24], own[24];

  if (best->objective > 0 && member->objective < 1e4 * best->objective)
    add (text, size, "; a steadier plan (%s) costs %.*f times as much: it ends ", member->label,
         member->objective < 9.95 * best->objective, member->objective / best->objective);
  else
    add (text, size, "; a steadier plan (%s) costs %.3g, this one %.3g: it ends ", member->label, member->objective,
         best->objective);
  add (text, size, "%s off at a tenth of the step, ", distance (member->tenth, ends));
  if (isfinite (best->tenth))
    add (text, size, "this one %s", distance (best->tenth, own));
  else
    add (text, size, "this one does not get to its end");
}

/* The winner, or while there is none the cheapest. */
static const SsMember *
find_best (const SsMember *members, int n)
{
  for (int i = 0; i < n; i++)
    if (members[i].is_best && members[i].state == SS_MEMBER_SOLVED)
      return &members[i];
  return find (members, n, SS_MEMBER_SOLVED, true);
}

void
ss_members_describe (const SsMember *members, int n, char *text, size_t size)
{
  const SsMember *first = find (members, n, SS_MEMBER_SOLVED, false), *best = find_best (members, n),
                 *cheapest = find (members, n, SS_MEMBER_SOLVED, true),
                 *cheat = find (members, n, SS_MEMBER_NOT_HONEST, true), *steadier;
  const int n_solved = count (members, n, SS_MEMBER_SOLVED);
  char after[24], at[24], saving[SAVING_SIZE];

  SS_ASSERT (text != NULL && size > 0);
  if (first == NULL || best == NULL) {
    describe_none (members, n, text, size);
    return;
  }
  snprintf (text, size, "first honest answer after %s by %s", seconds (first->ended, after), first->label);
  if (best != first && is_cheaper (best, first))
    add (text, size, "; %s by %s at %s", name_saving (best, first, saving), best->label, seconds (best->ended, at));
  else if (best != first && best->tenth < first->tenth)
    add (text, size, "; %s holds better in its replay", best->label);
  else if (best != first)
    add (text, size, "; hardly cheaper by %s at %s", best->label, seconds (best->ended, at));
  else if (n_solved > 1 && cheapest == best)
    add (text, size, "; %d later one%s no cheaper", n_solved - 1, n_solved > 2 ? "s were" : " was");
  if (cheapest != NULL && cheapest != best && is_cheaper (cheapest, best))
    describe_cheaper (cheapest, best, text, size);
  if (best->is_best && (steadier = find_steadier (members, n, best)) != NULL)
    describe_steadier (steadier, best, text, size);
  if (cheat != NULL && is_cheaper (cheat, best))
    add (text, size, "; %s was %s and is no possible motion", cheat->label, name_saving (cheat, best, saving));
}
