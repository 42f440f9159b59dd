/* engine/scene/ss-interest.c: see the header. */
#include "scene/ss-interest.h"

#include "core/ss-channel-word.h"
#include "core/ss-event-kind.h"
#include "core/ss-memory.h"
#include "core/ss-option.h"
#include "core/ss-stage-rows.h"
#include "expr/ss-expr.h"
#include "scene/ss-interest-unit.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Name, whether its argument is a formula of channels (else words of events). */
#define REDUCTIONS(X)                                                                                                  \
  X (FINAL, "final", true)                                                                                             \
  X (START, "start", true)                                                                                             \
  X (MAX, "max", true)                                                                                                 \
  X (MIN, "min", true)                                                                                                 \
  X (MEAN, "mean", true)                                                                                               \
  X (RMS, "rms", true)                                                                                                 \
  X (INTEGRAL, "integral", true)                                                                                       \
  X (ALWAYS, "always", true)                                                                                           \
  X (EVER, "ever", true)                                                                                               \
  X (COUNT, "count", false)                                                                                            \
  X (FIRST, "first", false)                                                                                            \
  X (LAST, "last", false)                                                                                              \
  X (NTH, "nth", false)

typedef enum {
#define X(id, name, of_channels) REDUCE_##id,
  REDUCTIONS (X)
#undef X
      N_REDUCTIONS
} Reduction;

static const struct {
  const char *name;
  bool of_channels;
} reductions[] = {
#define X(id, name, of_channels) {name, of_channels},
    REDUCTIONS (X)
#undef X
};

/* Stands in the outer formula for part i. */
static const char PART[] = "part__";
enum { PARTS_MOST = 64, TEXT_MOST = 4000 };

typedef struct {
  Reduction how;
  char *text;      /* owned: the argument, a formula or words */
  bool is_impulse; /* of FIRST, LAST, NTH: else the time */
  int number;      /* of NTH, from 1 */
  double from, to; /* [s], of ALWAYS and EVER: rows between; infinite: no limit */
} Part;

struct SsInterest {
  char *outer; /* the formula with its reductions replaced by names */
  int n_parts;
  Part parts[PARTS_MOST];
  bool is_assertion;
};

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool
is_name_part (char c)
{
  return isalnum ((unsigned char)c) || c == '_' || c == '.';
}

/* Behind the bracket that closes the one at `open`; NULL: none does. *has_comma: one stands between, not deeper. */
static const char *
end_of_brackets (const char *open, bool *has_comma)
{
  int depth = 0;

  *has_comma = false;
  for (const char *at = open; *at != '\0'; at++) {
    depth += (*at == '(') - (*at == ')');
    *has_comma = *has_comma || (depth == 1 && *at == ',');
    if (depth == 0)
      return at + 1;
  }
  return NULL;
}

static int
find_reduction (const char *name, size_t length)
{
  for (int i = 0; i < N_REDUCTIONS; i++)
    if (strlen (reductions[i].name) == length && strncmp (reductions[i].name, name, length) == 0)
      return i;
  return -1;
}

static SsStatus
refuse (SsError *err, const char *text, const char *at, const char *why)
{
  const SsStatus status = ss_error_set (err, SS_ERR_INVALID, "%s", why);

  if (err != NULL)
    err->column = (int)(at - text) + 1;
  return status;
}

static bool
is_judged (Reduction how)
{
  return how == REDUCE_ALWAYS || how == REDUCE_EVER;
}

/* Cuts "from=1" and "to=2" off a part's text, whose first character is at `first` of the formula. */
static SsStatus
take_limits (Part *part, const char *text, const char *first, SsError *err)
{
  for (char *comma; (comma = strrchr (part->text, ',')) != NULL; *comma = '\0') {
    char *word = comma + 1 + strspn (comma + 1, " ");
    const size_t length = strspn (word, "fromt");
    const bool is_from = length == 4 && strncmp (word, "from", 4) == 0;
    char *number = word + length + strspn (word + length, " ");
    double *limit = is_from ? &part->from : &part->to;

    if (!(is_from || (length == 2 && strncmp (word, "to", 2) == 0)) || *number != '=' || number[1] == '=')
      break; /* a comma of the condition */
    number += 1 + strspn (number + 1, " ");
    for (size_t n = strlen (number); n > 0 && number[n - 1] == ' '; n--)
      number[n - 1] = '\0';
    if (!ss_parse_double (number, limit))
      return refuse (err, text, first + (word - part->text), "from= and to= are times in s, such as from=1");
  }
  if (part->from > part->to)
    return refuse (err, text, first, "from= is later than to=");
  return SS_OK;
}

/* Cuts "3, " off the words of an NTH, which begin at `first` of the formula. */
static SsStatus
take_number (Part *part, const char *text, const char *first, SsError *err)
{
  const char *digits = part->text + strspn (part->text, " ");
  const size_t n = strspn (digits, "0123456789");
  const char *comma = digits + n + strspn (digits + n, " ");

  for (size_t i = 0; i < n && part->number < INT_MAX / 10 - 1; i++)
    part->number = 10 * part->number + (digits[i] - '0');
  if (part->number < 1 || *comma != ',')
    return refuse (err, text, first, "nth(...) begins with a number from 1, such as nth(2, impact)");
  memmove (part->text, comma + 1, strlen (comma));
  return SS_OK;
}

/* A reduction, whose name begins at *at: it becomes a part, and *at goes behind it. */
static SsStatus
take_part (SsInterest *self, const char *text, Reduction how, const char *open, const char *end, const char **at,
           SsError *err)
{
  Part *part = &self->parts[self->n_parts];

  if (self->n_parts >= PARTS_MOST)
    return refuse (err, text, *at, "the formula has too many parts");
  *part = (Part){.how = how, .text = ss_strdup (open + 1), .from = -INFINITY, .to = INFINITY};
  if (part->text == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  part->text[end - open - 2] = '\0';
  self->n_parts++;
  *at = end;
  if (is_judged (how))
    return take_limits (part, text, open + 1, err);
  if (how == REDUCE_FIRST || how == REDUCE_LAST || how == REDUCE_NTH) {
    const char *const field = end + (*end == '.');
    const size_t length = strspn (field, "abcdefghijklmnopqrstuvwxyz");

    part->is_impulse = length == 7 && strncmp (field, "impulse", 7) == 0;
    if (*end != '.' || !(part->is_impulse || (length == 1 && *field == 't')))
      return refuse (err, text, end, "first(...), last(...) and nth(...) are followed by .t or .impulse");
    *at = field + length;
    if (how == REDUCE_NTH)
      return take_number (part, text, open + 1, err);
  }
  return SS_OK;
}

/* The outer formula: names of parts in the places of reductions. */
static SsStatus
take_apart (SsInterest *self, const char *text, SsError *err)
{
  size_t used = 0;
  SsStatus status = SS_OK;

  for (const char *at = text; *at != '\0' && status == SS_OK;) {
    size_t length = 0;
    bool has_comma = false;

    while (is_name_part (at[length]))
      length++;
    const char *open = at + length + strspn (at + length, " ");
    const int how = length > 0 && *open == '(' ? find_reduction (at, length) : -1;
    const char *end = how >= 0 ? end_of_brackets (open, &has_comma) : NULL;
    const bool is_function = has_comma && (how == REDUCE_MAX || how == REDUCE_MIN);

    if (how >= 0 && end == NULL)
      return refuse (err, text, open, "a bracket is not closed");
    if (how >= 0 && !is_function) {
      status = take_part (self, text, (Reduction)how, open, end, &at, err);
      used += (size_t)snprintf (self->outer + used, TEXT_MOST, "%s%d", PART, self->n_parts - 1);
      continue;
    }
    length = length > 0 ? length : 1;
    memcpy (self->outer + used, at, length);
    used += length;
    at += length;
  }
  self->outer[used] = '\0';
  return status;
}

/* ---- one formula ------------------------------------------------------------------------------------------------- */

/* What its names mean: channels of the motion, in the outer formula parts too. NULL motion: any name means something.
 */
typedef struct {
  SsGraph *graph;
  const SsTrajectory *motion;
  int n_parts;          /* slots 0 .. n_parts - 1; channels come behind, then one for names that may_be_added */
  bool is_asked_before; /* names that a method may add pass */
} Scope;

static SsStatus
refuse_name (const Scope *scope, const char *name, size_t length, SsError *err)
{
  char wrong[200];
  const char *nearest = NULL;
  const int n = scope->motion->n_channels;
  const char **names = ss_new_array (const char *, n + 1);

  snprintf (wrong, sizeof wrong, "%.*s", (int)length, name);
  for (int c = 0; c < n && names != NULL; c++)
    names[c] = scope->motion->channels[c].name;
  if (names != NULL)
    nearest = ss_nearest_name (wrong, names, n);
  ss_error_set (err, SS_ERR_INVALID, "the motion has no channel '%s'%s%s", wrong,
                nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "");
  ss_free (names);
  return SS_ERR_INVALID;
}

/* Whether methods may add it to the channels: an owner of theirs with a known quantity. */
static bool
may_be_added (const Scope *scope, const char *name, size_t length)
{
  const SsTrajectory *motion = scope->motion;
  const char *last = name + length;
  char quantity[80];

  while (last > name && last[-1] != '.')
    last--;
  snprintf (quantity, sizeof quantity, "%.*s", (int)(name + length - last), last);
  if (last == name)
    return ss_quantity_is_second_clock (ss_quantity_find (quantity));
  if (ss_quantity_find (quantity) == SS_QUANTITY_UNKNOWN)
    return false;
  for (int c = 0; c < motion->n_channels; c++) {
    const SsChannel owner = ss_channel_named (motion->channels[c].owner_name);
    const size_t n = strlen (owner.name);

    if (n > 0 && n < length && name[n] == '.' &&
        (ss_channel_is_called (&owner, name, n, false) || ss_contact_is_exchanged (owner.name, name, n)))
      return true;
  }
  return false;
}

static SsStatus
resolve (void *user_data, const char *name, size_t length, int shift, SsExpr *out, SsError *err)
{
  const Scope *scope = user_data;
  const size_t part = sizeof PART - 1;

  if (shift == SS_NAME_TAKEN || shift == SS_NAME_CONSTANT || shift == SS_NAME_NEXT)
    return ss_error_set (err, SS_ERR_INVALID, "'%.*s' is a channel of a motion", (int)length, name);
  if (scope->n_parts > 0 && length > part && strncmp (name, PART, part) == 0) {
    int slot = 0;

    for (size_t i = part; i < length; i++)
      slot = 10 * slot + (name[i] - '0');
    *out = ss_graph_input (scope->graph, slot < scope->n_parts ? slot : 0);
    return SS_OK;
  }
  const int channel = scope->motion != NULL ? ss_trajectory_meant (scope->motion, name, length) : -1;
  if (channel >= 0) {
    *out = ss_graph_input (scope->graph, scope->n_parts + channel);
    return SS_OK;
  }
  if (scope->motion != NULL && !(scope->is_asked_before && may_be_added (scope, name, length)))
    return refuse_name (scope, name, length, err);
  *out = ss_graph_input (scope->graph, scope->n_parts + (scope->motion != NULL ? scope->motion->n_channels : 0));
  return SS_OK;
}

/* Whether its value is a truth: a comparison, always(...), ever(...), or made of such by and, or, not. */
static bool
is_truth (const SsInterest *self, const SsGraph *graph, SsExpr e)
{
  const SsOp op = ss_graph_op (graph, e);

  if (op == SS_OP_INPUT)
    return ss_graph_slot (graph, e) < self->n_parts && is_judged (self->parts[ss_graph_slot (graph, e)].how);
  return op == SS_OP_LT || op == SS_OP_LE || op == SS_OP_EQ || op == SS_OP_AND || op == SS_OP_OR || op == SS_OP_NOT;
}

/* Whether a text is a formula at all, of whatever names; of a part (else n_parts is that of the formula). */
static SsStatus
check_formula (const SsInterest *self, const char *text, int n_parts, bool *is_condition, SsError *err)
{
  Scope scope = {.n_parts = n_parts};
  SsExpr e;
  SsStatus status = ss_graph_new (&scope.graph, err);

  if (status == SS_OK)
    status = ss_expr_parse (scope.graph, text, resolve, &scope, &e, err);
  *is_condition = status == SS_OK && is_truth (n_parts > 0 ? self : &(SsInterest){0}, scope.graph, e);
  ss_graph_free (scope.graph);
  return status;
}

SsStatus
ss_interest_new (const char *text, SsInterest **out, SsError *err)
{
  SS_ASSERT (text != NULL && out != NULL);

  *out = NULL;
  if (strlen (text) > TEXT_MOST)
    return ss_error_set (err, SS_ERR_INVALID, "the formula is longer than %d characters", TEXT_MOST);
  SsInterest *self = ss_new (SsInterest);
  if (self != NULL)
    self->outer = ss_new_array (char, 4 * TEXT_MOST + 100);
  SsStatus status = self != NULL && self->outer != NULL ? take_apart (self, text, err)
                                                        : ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; status == SS_OK && i < self->n_parts; i++) {
    bool is_condition = true;

    if (reductions[self->parts[i].how].of_channels)
      status = check_formula (self, self->parts[i].text, 0, &is_condition, err);
    if (status == SS_OK && is_judged (self->parts[i].how) && !is_condition)
      status = ss_error_set (err, SS_ERR_INVALID, "%s(...) takes a condition, such as box.y > 0.3, not '%s'",
                             reductions[self->parts[i].how].name, self->parts[i].text);
  }
  if (status == SS_OK)
    status = check_formula (self, self->outer, self->n_parts, &self->is_assertion, err);
  if (status != SS_OK) {
    ss_interest_free (self);
    return status;
  }
  *out = self;
  return SS_OK;
}

void
ss_interest_free (SsInterest *interest)
{
  if (interest == NULL)
    return;
  for (int i = 0; i < interest->n_parts; i++)
    ss_free (interest->parts[i].text);
  ss_free (interest->outer);
  ss_free (interest);
}

bool
ss_interest_is_assertion (const SsInterest *interest)
{
  SS_ASSERT (interest != NULL);
  return interest->is_assertion;
}

bool
ss_interest_reads_all_rows (const SsInterest *interest)
{
  SS_ASSERT (interest != NULL);
  bool reads = false;
  for (int i = 0; i < interest->n_parts; i++) {
    const Reduction how = interest->parts[i].how;
    reads = reads || (reductions[how].of_channels && how != REDUCE_FINAL && how != REDUCE_START);
  }
  return reads;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* A formula of channels with what evaluates it. */
typedef struct {
  Scope scope;
  SsExpr e;
  SsDimension unit;
  SsDimension *units; /* of the slots */
  double *inputs, *memo;
  int *stamps, tick, n_slots;
} Formula;

static void
close_formula (Formula *f)
{
  ss_graph_free (f->scope.graph);
  ss_free (f->units);
  ss_free (f->inputs);
  ss_free (f->memo);
  ss_free (f->stamps);
}

/* `parts`: units of the parts, n_parts. `is_before`: see ss_interest_unit. Close it also after an error. */
static SsStatus
open_formula (Formula *f, const char *text, const SsTrajectory *motion, const SsDimension *parts, int n_parts,
              bool is_before, SsError *err)
{
  *f = (Formula){.scope = {.motion = motion, .n_parts = n_parts, .is_asked_before = is_before},
                 .n_slots = n_parts + motion->n_channels + is_before};
  SsStatus status = ss_graph_new (&f->scope.graph, err);

  if (status == SS_OK)
    status = ss_expr_parse (f->scope.graph, text, resolve, &f->scope, &f->e, err);
  if (status != SS_OK)
    return status;
  const int n = ss_graph_n_nodes (f->scope.graph);
  f->units = ss_new_array (SsDimension, f->n_slots + 1);
  f->inputs = ss_new_array (double, f->n_slots + 1);
  f->memo = ss_new_array (double, n + 1);
  f->stamps = ss_new_array (int, n + 1);
  if (f->units == NULL || f->inputs == NULL || f->memo == NULL || f->stamps == NULL)
    return ss_error_set (err, SS_ERR_MEMORY, "out of memory");
  for (int i = 0; i < n_parts; i++)
    f->units[i] = parts[i];
  for (int c = 0; c < motion->n_channels; c++)
    if (!ss_dimension_read (motion->channels[c].unit, &f->units[n_parts + c]))
      f->units[n_parts + c] = (SsDimension){.is_any = true};
  if (is_before)
    f->units[n_parts + motion->n_channels] = (SsDimension){.is_any = true};
  return ss_dimension_find (f->scope.graph, f->e, f->units, &f->unit, err);
}

static double
value_at (Formula *f, int row)
{
  const SsTrajectory *motion = f->scope.motion;

  memcpy (f->inputs + f->scope.n_parts, ss_trajectory_row (motion, row), (size_t)motion->n_channels * sizeof (double));
  return ss_graph_eval (f->scope.graph, f->e, f->inputs, f->n_slots, f->memo, f->stamps, ++f->tick);
}

/* Of a function that is a straight line between rows: its integral, or that of its square. */
static double
integrate (Formula *f, bool is_squared)
{
  const SsTrajectory *motion = f->scope.motion;
  double sum = 0, before = value_at (f, 0);

  for (int k = 1; k < motion->n_rows; k++) {
    const double h = ss_trajectory_row (motion, k)[0] - ss_trajectory_row (motion, k - 1)[0], now = value_at (f, k);

    sum += is_squared ? h * (before * before + before * now + now * now) / 3 : h * (before + now) / 2;
    before = now;
  }
  return sum;
}

/* 1, 0, or NaN where no row lies between the limits. *decided_at: time [s] of the row that tells; NaN: all rows do. */
static double
judge (Formula *f, const Part *part, double *decided_at)
{
  const SsTrajectory *motion = f->scope.motion;
  const bool is_ever = part->how == REDUCE_EVER;
  bool has_rows = false;

  SS_ASSERT (is_judged (part->how));
  *decided_at = NAN;
  for (int k = 0; k < motion->n_rows; k++) {
    const double t = ss_trajectory_row (motion, k)[0], rounding = 1e-9 * fmax (1, fabs (t));

    if (t < part->from - rounding || t > part->to + rounding)
      continue;
    has_rows = true;
    if ((value_at (f, k) != 0) == is_ever) {
      *decided_at = t;
      return is_ever;
    }
  }
  return has_rows ? !is_ever : NAN;
}

static double
reduce (Formula *f, Reduction how)
{
  const SsTrajectory *motion = f->scope.motion;
  const int last = motion->n_rows - 1;
  const double length = ss_trajectory_row (motion, last)[0] - ss_trajectory_row (motion, 0)[0];
  double extreme = NAN;

  switch (how) {
  case REDUCE_FINAL:
    return value_at (f, last);
  case REDUCE_START:
    return value_at (f, 0);
  case REDUCE_INTEGRAL:
    return integrate (f, false);
  case REDUCE_MEAN:
    return length > 0 ? integrate (f, false) / length : value_at (f, last);
  case REDUCE_RMS:
    return length > 0 ? sqrt (integrate (f, true) / length) : fabs (value_at (f, last));
  case REDUCE_MAX:
  case REDUCE_MIN:
  default:
    for (int k = 0; k <= last; k++)
      extreme = how == REDUCE_MAX ? fmax (extreme, value_at (f, k)) : fmin (extreme, value_at (f, k));
    return extreme;
  }
}

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

/* NULL `value`: its unit alone, before there is a motion. */
static SsStatus
find_part (const Part *part, const SsTrajectory *motion, const SsInterestEvent *events, int n_events, double *value,
           SsDimension *unit, SsError *err)
{
  static const SsDimension second = {.power = {0, 0, 1}}, impulse = {.power = {1, 1, -1}};
  const bool is_verdict = is_judged (part->how);
  double decided_at;
  Formula f;

  if (!reductions[part->how].of_channels) {
    if (value != NULL)
      *value = reduce_events (part, motion, events, n_events);
    *unit = part->how == REDUCE_COUNT ? (SsDimension){0} : part->is_impulse ? impulse : second;
    return value == NULL ? check_words (motion, part->text, err) : SS_OK;
  }
  const SsStatus status = open_formula (&f, part->text, motion, NULL, 0, value == NULL, err);
  if (status == SS_OK && value != NULL)
    *value = is_verdict ? judge (&f, part, &decided_at) : reduce (&f, part->how);
  if (status == SS_OK)
    *unit = is_verdict                     ? (SsDimension){0}
            : part->how == REDUCE_INTEGRAL ? ss_dimension_combine (&f.unit, 1, &second, 1)
                                           : f.unit;
  close_formula (&f);
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
    status = find_part (&interest->parts[i], channels, NULL, 0, NULL, &units[i], err);
  if (status != SS_OK)
    return status;
  status = open_formula (&f, interest->outer, channels, units, interest->n_parts, true, err);
  if (status == SS_OK)
    ss_dimension_write (&f.unit, unit);
  close_formula (&f);
  return status;
}

static SsStatus
value_of_steps (const SsInterest *interest, const SsTrajectory *motion, const SsInterestEvent *events, int n_events,
                double *value, char unit[SS_INTEREST_UNIT], SsError *err)
{
  double values[PARTS_MOST];
  SsDimension units[PARTS_MOST];
  Formula f;
  SsStatus status = SS_OK;

  SS_ASSERT (interest != NULL && motion != NULL && motion->n_rows > 0 && (events != NULL || n_events == 0));
  *value = NAN;
  unit[0] = '\0';
  for (int i = 0; i < interest->n_parts && status == SS_OK; i++)
    status = find_part (&interest->parts[i], motion, events, n_events, &values[i], &units[i], err);
  if (status != SS_OK)
    return status;
  status = open_formula (&f, interest->outer, motion, units, interest->n_parts, false, err);
  if (status == SS_OK) {
    memcpy (f.inputs, values, (size_t)interest->n_parts * sizeof (double));
    *value = value_at (&f, motion->n_rows - 1);
    for (int i = 0; i < interest->n_parts && interest->is_assertion; i++)
      if (is_judged (interest->parts[i].how) && isnan (values[i]))
        *value = NAN;
    ss_dimension_write (&f.unit, unit);
  }
  close_formula (&f);
  return status;
}

/* Of the rows of steps: an outcome does not depend on whether stages are kept. */
SsStatus
ss_interest_value (const SsInterest *interest, const SsTrajectory *motion, const SsInterestEvent *events, int n_events,
                   double *value, char unit[SS_INTEREST_UNIT], SsError *err)
{
  SS_ASSERT (motion != NULL);
  if (!ss_stage_rows_has (motion))
    return value_of_steps (interest, motion, events, n_events, value, unit, err);
  SsTrajectory *steps;
  SsStatus status = ss_stage_rows_leave_out (motion, &steps, err);
  if (status == SS_OK)
    status = value_of_steps (interest, steps, events, n_events, value, unit, err);
  ss_trajectory_free (steps);
  return status;
}

static SsStatus
broken_at_step (const SsInterest *interest, const SsTrajectory *motion, double *t, SsError *err)
{
  SsStatus status = SS_OK;

  SS_ASSERT (interest != NULL && motion != NULL && motion->n_rows > 0);
  *t = NAN;
  for (int i = 0; i < interest->n_parts && status == SS_OK; i++) {
    double decided_at = NAN;
    Formula f;

    if (interest->parts[i].how != REDUCE_ALWAYS)
      continue;
    status = open_formula (&f, interest->parts[i].text, motion, NULL, 0, false, err);
    if (status == SS_OK)
      judge (&f, &interest->parts[i], &decided_at);
    close_formula (&f);
    *t = fmin (*t, decided_at);
  }
  return status;
}

SsStatus
ss_interest_broken_at (const SsInterest *interest, const SsTrajectory *motion, double *t, SsError *err)
{
  SS_ASSERT (motion != NULL);
  if (!ss_stage_rows_has (motion))
    return broken_at_step (interest, motion, t, err);
  SsTrajectory *steps;
  SsStatus status = ss_stage_rows_leave_out (motion, &steps, err);
  if (status == SS_OK)
    status = broken_at_step (interest, steps, t, err);
  ss_trajectory_free (steps);
  return status;
}
