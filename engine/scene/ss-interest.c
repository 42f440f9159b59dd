/* engine/scene/ss-interest.c: see the header. */
#include "scene/ss-interest.h"

#include "core/ss-channel-word.h"
#include "core/ss-event-kind.h"
#include "core/ss-memory.h"
#include "core/ss-option.h"
#include "core/ss-stage-rows.h"
#include "scene/ss-interest-private.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
enum { TEXT_MOST = 4000 };

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

bool
ss_interest_is_of_channels (Reduction how)
{
  return reductions[how].of_channels;
}

bool
ss_interest_is_judged (Reduction how)
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
  if (ss_interest_is_judged (how))
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
    return ss_graph_slot (graph, e) < self->n_parts &&
           ss_interest_is_judged (self->parts[ss_graph_slot (graph, e)].how);
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
    if (status == SS_OK && ss_interest_is_judged (self->parts[i].how) && !is_condition)
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

/* ---- its value --------------------------------------------------------------------------------------------------- */

void
ss_interest_formula_close (Formula *f)
{
  ss_graph_free (f->scope.graph);
  ss_free (f->units);
  ss_free (f->inputs);
  ss_free (f->memo);
  ss_free (f->stamps);
}

SsStatus
ss_interest_formula_open (Formula *f, const char *text, const SsTrajectory *motion, const SsDimension *parts,
                          int n_parts, bool is_before, SsError *err)
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

double
ss_interest_formula_value (Formula *f, const SsTrajectory *motion, int row)
{
  SS_ASSERT (f != NULL && motion != NULL);
  const int n = f->n_slots - f->scope.n_parts - f->scope.is_asked_before;
  SS_ASSERT (motion->n_channels == n);

  memcpy (f->inputs + f->scope.n_parts, ss_trajectory_row (motion, row), (size_t)n * sizeof (double));
  return ss_graph_eval (f->scope.graph, f->e, f->inputs, f->n_slots, f->memo, f->stamps, ++f->tick);
}
