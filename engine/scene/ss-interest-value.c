/* engine/scene/ss-interest-value.c: what a formula is worth in a motion, which is read row by row, so that nobody has
 * to keep the rows; see ss-interest.h. */
#include "scene/ss-interest.h"

#include "core/ss-channel-word.h"
#include "core/ss-event-kind.h"
#include "core/ss-memory.h"
#include "core/ss-stage-rows.h"
#include "scene/ss-interest-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* What the rows so far tell of a part. */
typedef struct {
  Formula formula;
  int n_rows;         /* that count: between the limits of ALWAYS and EVER */
  double t_first, t;  /* [s] of the first and the latest */
  double first, last; /* values there */
  double integral, squares, least, most;
  double decided_at; /* [s] of the row that decides a condition; NaN: none yet */
} Reduced;

struct SsInterestSum {
  const SsInterest *interest; /* borrowed */
  Reduced parts[PARTS_MOST];  /* those of channels */
};

static bool
is_between (const Part *part, double t)
{
  const double rounding = 1e-9 * fmax (1, fabs (t));

  return t >= part->from - rounding && t <= part->to + rounding;
}

/* One row more. Between rows the formula goes straight. */
static void
take_row (Reduced *r, const Part *part, const SsTrajectory *motion, int row)
{
  const double t = ss_trajectory_row (motion, row)[0];

  if (!isnan (r->decided_at) || !is_between (part, t)) /* parts without limits have infinite ones */
    return;
  const double now = ss_interest_formula_value (&r->formula, motion, row), h = t - r->t, before = r->last;
  if (r->n_rows == 0) {
    r->t_first = t;
    r->first = now;
  } else {
    r->integral += h * (before + now) / 2;
    r->squares += h * (before * before + before * now + now * now) / 3;
  }
  r->least = fmin (r->least, now);
  r->most = fmax (r->most, now);
  r->n_rows++;
  r->t = t;
  r->last = now;
  if (ss_interest_is_judged (part->how) && (now != 0) == (part->how == REDUCE_EVER))
    r->decided_at = t;
}

static double
value_of (const Reduced *r, const Part *part)
{
  const double length = r->t - r->t_first;

  if (r->n_rows == 0)
    return NAN;
  switch (part->how) {
  case REDUCE_FINAL:
    return r->last;
  case REDUCE_START:
    return r->first;
  case REDUCE_INTEGRAL:
    return r->integral;
  case REDUCE_MEAN:
    return length > 0 ? r->integral / length : r->last;
  case REDUCE_RMS:
    return length > 0 ? sqrt (r->squares / length) : fabs (r->last);
  case REDUCE_ALWAYS:
    return isnan (r->decided_at);
  case REDUCE_EVER:
    return !isnan (r->decided_at);
  case REDUCE_MIN:
    return r->least;
  case REDUCE_MAX:
  default:
    return r->most;
  }
}

SsStatus
ss_interest_sum_new (const SsInterest *interest, const SsTrajectory *channels, SsInterestSum **out, SsError *err)
{
  SS_ASSERT (interest != NULL && channels != NULL && out != NULL);
  SsInterestSum *sum = ss_new (SsInterestSum);
  SsStatus status = SS_OK;

  *out = NULL;
  if (sum == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  sum->interest = interest;
  for (int i = 0; i < interest->n_parts && status == SS_OK; i++) {
    const Part *part = &interest->parts[i];
    sum->parts[i] = (Reduced){.least = NAN, .most = NAN, .decided_at = NAN};
    if (ss_interest_is_of_channels (part->how))
      status = ss_interest_formula_open (&sum->parts[i].formula, part->text, channels, NULL, 0, false, err);
  }
  if (status == SS_OK)
    *out = sum;
  else
    ss_interest_sum_free (sum);
  return status;
}

void
ss_interest_sum_free (SsInterestSum *sum)
{
  if (sum == NULL)
    return;
  for (int i = 0; i < sum->interest->n_parts; i++)
    ss_interest_formula_close (&sum->parts[i].formula);
  ss_free (sum);
}

void
ss_interest_sum_rows (SsInterestSum *sum, const SsTrajectory *motion, int first, int end)
{
  SS_ASSERT (sum != NULL && motion != NULL);

  for (int i = 0; i < sum->interest->n_parts; i++) {
    const Part *part = &sum->interest->parts[i];
    Reduced *r = &sum->parts[i];
    if (!ss_interest_is_of_channels (part->how) || (part->how == REDUCE_START && r->n_rows > 0))
      continue;
    const int from = part->how == REDUCE_FINAL && end > first ? end - 1 : first,
              to = part->how == REDUCE_START && end > first ? first + 1 : end;
    for (int k = from; k < to; k++)
      take_row (r, part, motion, k);
  }
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Whether a contact, a joint or a body of the motion has that name itself. */
static bool
is_owner (const SsTrajectory *motion, const char *word, size_t length)
{
  for (int c = 0; c < motion->n_channels; c++) {
    const SsChannel owner = ss_channel_named (motion->channels[c].owner_name);
    if (length > 0 && ss_channel_is_called (&owner, word, length, false))
      return true;
  }
  return false;
}

/* Whether an event has that word: in the name of its subject, from its start or a '-' up to its end or a '-', or, where
 * it is `exchangeable`, that name with its two sides exchanged. */
static bool
has_word (const SsInterestEvent *event, const char *word, size_t length, bool exchangeable)
{
  const char *subject = event->subject;
  const SsChannel kind = ss_channel_named (event->kind);

  if ((length == 3 && strncmp (word, "any", 3) == 0) || ss_channel_is_called (&kind, word, length, false) ||
      (exchangeable && ss_contact_is_exchanged (subject, word, length)))
    return true;
  for (const char *at = subject; *at != '\0'; at++)
    if ((at == subject || at[-1] == '-') && ss_name_is_spelled (at, word, length) &&
        (at[length] == '\0' || at[length] == '-'))
      return true;
  return false;
}

/* A word that something of the motion is called by is not exchanged: a scene may have contacts "a-b" and "b-a". */
static bool
has_words (const SsTrajectory *motion, const SsInterestEvent *event, const char *words)
{
  for (const char *at = words + strspn (words, " "); *at != '\0'; at += strspn (at, " ")) {
    const size_t length = strcspn (at, " ");

    if (!has_word (event, at, length, !is_owner (motion, at, length)))
      return false;
    at += length;
  }
  return true;
}

/* Whether an event of a motion with these channels can have that word, or all that '-' joins in it. */
static bool
is_known_word (const SsTrajectory *channels, const char *word, size_t length)
{
  const char *dash = memchr (word, '-', length);

  for (int kind = 0; kind < SS_EVENT_COUNT; kind++)
    if (has_word (&(SsInterestEvent){.kind = ss_event_kind_name ((SsEventKind)kind), .subject = ""}, word, length,
                  false))
      return true;
  for (int c = 0; c < channels->n_channels; c++)
    if (has_word (&(SsInterestEvent){.kind = "", .subject = channels->channels[c].owner_name}, word, length, true))
      return true;
  return dash != NULL && is_known_word (channels, word, (size_t)(dash - word)) &&
         is_known_word (channels, dash + 1, length - (size_t)(dash - word) - 1);
}

static SsStatus
check_words (const SsTrajectory *channels, const char *words, SsError *err)
{
  for (const char *at = words + strspn (words, " "); *at != '\0'; at += strspn (at, " ")) {
    const size_t length = strcspn (at, " ");

    if (!is_known_word (channels, at, length))
      return ss_error_set (
          err, SS_ERR_INVALID,
          "no event has the word '%.*s' (expected a kind such as impact, slip, stick, or the name of a "
          "contact, joint or body)",
          (int)length, at);
    at += length;
  }
  return SS_OK;
}

static double
reduce_events (const Part *part, const SsTrajectory *motion, const SsInterestEvent *events, int n)
{
  const int wanted = part->how == REDUCE_FIRST ? 1 : part->how == REDUCE_NTH ? part->number : INT_MAX;
  const SsInterestEvent *found = NULL;
  int count = 0;

  for (int i = 0; i < n && count < wanted; i++)
    if (has_words (motion, &events[i], part->text)) {
      found = &events[i];
      count++;
    }
  if (part->how == REDUCE_COUNT)
    return count;
  if (found == NULL || (part->how == REDUCE_NTH && count < wanted))
    return NAN;
  return part->is_impulse ? found->impulse : found->t;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static const SsDimension second = {.power = {0, 0, 1}}, impulse = {.power = {1, 1, -1}};

/* `of`: that of the formula of channels; NULL: it is one of events. */
static SsDimension
unit_of (const Part *part, const SsDimension *of)
{
  if (of == NULL)
    return part->how == REDUCE_COUNT ? (SsDimension){0} : part->is_impulse ? impulse : second;
  return ss_interest_is_judged (part->how) ? (SsDimension){0}
         : part->how == REDUCE_INTEGRAL    ? ss_dimension_combine (of, 1, &second, 1)
                                           : *of;
}

/* Of a part, before there is a motion. */
static SsStatus
find_unit (const Part *part, const SsTrajectory *channels, SsDimension *unit, SsError *err)
{
  Formula f;

  if (!ss_interest_is_of_channels (part->how)) {
    *unit = unit_of (part, NULL);
    return check_words (channels, part->text, err);
  }
  const SsStatus status = ss_interest_formula_open (&f, part->text, channels, NULL, 0, true, err);
  if (status == SS_OK)
    *unit = unit_of (part, &f.unit);
  ss_interest_formula_close (&f);
  return status;
}

SsStatus
ss_interest_unit (const SsInterest *interest, const SsTrajectory *channels, char unit[SS_INTEREST_UNIT], SsError *err)
{
  SsDimension units[PARTS_MOST];
  Formula f;
  SsStatus status = SS_OK;

  SS_ASSERT (interest != NULL && channels != NULL);
  unit[0] = '\0';
  for (int i = 0; i < interest->n_parts && status == SS_OK; i++)
    status = find_unit (&interest->parts[i], channels, &units[i], err);
  if (status != SS_OK)
    return status;
  status = ss_interest_formula_open (&f, interest->outer, channels, units, interest->n_parts, true, err);
  if (status == SS_OK)
    ss_dimension_write (&f.unit, unit);
  ss_interest_formula_close (&f);
  return status;
}

SsStatus
ss_interest_sum_value (const SsInterestSum *sum, const SsTrajectory *motion, const SsInterestEvent *events,
                       int n_events, double *value, char unit[SS_INTEREST_UNIT], SsError *err)
{
  SS_ASSERT (sum != NULL && motion != NULL && motion->n_rows > 0 && (events != NULL || n_events == 0));
  const SsInterest *interest = sum->interest;
  double values[PARTS_MOST];
  SsDimension units[PARTS_MOST];
  Formula f;

  *value = NAN;
  unit[0] = '\0';
  for (int i = 0; i < interest->n_parts; i++) {
    const Part *part = &interest->parts[i];
    const bool is_of_channels = ss_interest_is_of_channels (part->how);
    values[i] = is_of_channels ? value_of (&sum->parts[i], part) : reduce_events (part, motion, events, n_events);
    units[i] = unit_of (part, is_of_channels ? &sum->parts[i].formula.unit : NULL);
  }
  SsStatus status = ss_interest_formula_open (&f, interest->outer, motion, units, interest->n_parts, false, err);
  if (status == SS_OK) {
    memcpy (f.inputs, values, (size_t)interest->n_parts * sizeof (double));
    *value = ss_interest_formula_value (&f, motion, motion->n_rows - 1);
    for (int i = 0; i < interest->n_parts && interest->is_assertion; i++)
      if (ss_interest_is_judged (interest->parts[i].how) && isnan (values[i]))
        *value = NAN;
    ss_dimension_write (&f.unit, unit);
  }
  ss_interest_formula_close (&f);
  return status;
}

double
ss_interest_sum_broken_at (const SsInterestSum *sum)
{
  SS_ASSERT (sum != NULL);
  double t = NAN;

  for (int i = 0; i < sum->interest->n_parts; i++)
    if (sum->interest->parts[i].how == REDUCE_ALWAYS)
      t = fmin (t, sum->parts[i].decided_at);
  return t;
}

/* Of all rows of steps: an outcome does not depend on whether stages are kept. *steps is owned, NULL: the motion has
 * none. */
static SsStatus
sum_up (const SsInterest *interest, const SsTrajectory *motion, SsTrajectory **steps, SsInterestSum **sum, SsError *err)
{
  SS_ASSERT (interest != NULL && motion != NULL && motion->n_rows > 0);
  SsStatus status = SS_OK;

  *steps = NULL;
  *sum = NULL;
  if (ss_stage_rows_has (motion))
    status = ss_stage_rows_leave_out (motion, steps, err);
  const SsTrajectory *rows = *steps != NULL ? *steps : motion;
  if (status == SS_OK)
    status = ss_interest_sum_new (interest, rows, sum, err);
  if (status == SS_OK)
    ss_interest_sum_rows (*sum, rows, 0, rows->n_rows);
  return status;
}

SsStatus
ss_interest_value (const SsInterest *interest, const SsTrajectory *motion, const SsInterestEvent *events, int n_events,
                   double *value, char unit[SS_INTEREST_UNIT], SsError *err)
{
  SsTrajectory *steps;
  SsInterestSum *sum;
  SsStatus status = sum_up (interest, motion, &steps, &sum, err);

  *value = NAN;
  unit[0] = '\0';
  if (status == SS_OK)
    status = ss_interest_sum_value (sum, steps != NULL ? steps : motion, events, n_events, value, unit, err);
  ss_interest_sum_free (sum);
  ss_trajectory_free (steps);
  return status;
}

SsStatus
ss_interest_broken_at (const SsInterest *interest, const SsTrajectory *motion, double *t, SsError *err)
{
  SsTrajectory *steps;
  SsInterestSum *sum;
  SsStatus status = sum_up (interest, motion, &steps, &sum, err);

  *t = status == SS_OK ? ss_interest_sum_broken_at (sum) : (double)NAN;
  ss_interest_sum_free (sum);
  ss_trajectory_free (steps);
  return status;
}
