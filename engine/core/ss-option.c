/* engine/core/ss-option.c: option tables, numbers in text, nearest names. */
#include "core/ss-option.h"

#include "core/ss-memory.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

enum { NUMBER_MAX = 128 }; /* longest accepted text of a number */

/* strtod and printf follow LC_NUMERIC; text follows '.'. Swapping the decimal sign keeps the correct rounding of the C
 * library. */
static const char *
decimal_sign (void)
{
  const char *sign = localeconv ()->decimal_point;

  return sign != NULL && sign[0] != '\0' ? sign : ".";
}

bool
ss_parse_double (const char *text, double *value)
{
  SS_ASSERT (text != NULL && value != NULL);

  char local[2 * NUMBER_MAX];
  const char *sign = decimal_sign ();
  size_t used = 0;
  char *end;
  double parsed;

  if (text == NULL || text[0] == '\0' || strlen (text) >= NUMBER_MAX)
    return false;
  for (const char *c = text; *c != '\0'; c++) {
    if (!isdigit ((unsigned char)*c) && strchr ("+-.eE", *c) == NULL) /* no hexadecimal, inf, nan, spaces */
      return false;
    if (*c == '.') {
      for (const char *s = sign; *s != '\0'; s++) {
        if (used + 1 >= sizeof local)
          return false;
        local[used++] = *s;
      }
    } else {
      if (used + 1 >= sizeof local)
        return false;
      local[used++] = *c;
    }
  }
  local[used] = '\0';
  parsed = strtod (local, &end);
  if (end == local || *end != '\0' || !isfinite (parsed))
    return false;
  *value = parsed;
  return true;
}

void
ss_format_double (double value, char *buffer, size_t size)
{
  const char *sign = decimal_sign ();
  size_t sign_length = strlen (sign);

  if (size == 0)
    return;
  if (!isfinite (value)) {
    snprintf (buffer, size, "%s", isnan (value) ? "nan" : value > 0 ? "inf" : "-inf");
    return;
  }
  for (int digits = 15; digits <= 17; digits++) { /* 17 digits always read back as the same double */
    char text[64];
    char *point;
    double again;

    snprintf (text, sizeof text, "%.*g", digits, value);
    point = strcmp (sign, ".") == 0 ? NULL : strstr (text, sign);
    if (point != NULL) {
      *point = '.';
      memmove (point + 1, point + sign_length, strlen (point + sign_length) + 1);
    }
    if (digits == 17 || (ss_parse_double (text, &again) && again == value)) {
      snprintf (buffer, size, "%s", text);
      return;
    }
  }
}

/* ---- nearest names ----------------------------------------------------------------------------------------------- */

enum { NAME_MAX_LENGTH = 63 };

/* Levenshtein distance of names cut to NAME_MAX_LENGTH characters; case does not count. */
int
ss_edit_distance (const char *a, const char *b)
{
  SS_ASSERT (a != NULL && b != NULL);

  int row[NAME_MAX_LENGTH + 1];
  int n_a = (int)strnlen (a, NAME_MAX_LENGTH), n_b = (int)strnlen (b, NAME_MAX_LENGTH);

  for (int j = 0; j <= n_b; j++)
    row[j] = j;
  for (int i = 1; i <= n_a; i++) {
    int diagonal = row[0];

    row[0] = i;
    for (int j = 1; j <= n_b; j++) {
      int above = row[j];
      int cost = diagonal + (tolower ((unsigned char)a[i - 1]) != tolower ((unsigned char)b[j - 1]));

      if (above + 1 < cost)
        cost = above + 1;
      if (row[j - 1] + 1 < cost)
        cost = row[j - 1] + 1;
      row[j] = cost;
      diagonal = above;
    }
  }
  return row[n_b];
}

enum { BEGINNING_LEAST = 3 }; /* letters of a name's beginning that tell it */

/* Whatever the case. */
static bool
begins_with (const char *name, const char *beginning)
{
  int i = 0;

  while (beginning[i] != '\0' && tolower ((unsigned char)name[i]) == tolower ((unsigned char)beginning[i]))
    i++;
  return beginning[i] == '\0';
}

const char *
ss_nearest_name (const char *wrong, const char *const *names, int n_names)
{
  SS_ASSERT (wrong != NULL);
  SS_ASSERT (n_names >= 0 && (n_names == 0 || names != NULL));

  const char *best = NULL;
  int limit = 1 + (int)strnlen (wrong, NAME_MAX_LENGTH) / 3;

  for (int i = 0; i < n_names; i++) {
    int distance = ss_edit_distance (wrong, names[i]);

    if (distance <= limit) {
      best = names[i];
      limit = distance - 1; /* only a strictly nearer one replaces it */
    }
  }
  for (int i = 0; i < n_names && best == NULL && strnlen (wrong, BEGINNING_LEAST) == BEGINNING_LEAST; i++)
    if (begins_with (names[i], wrong))
      best = names[i];
  return best;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void
store_number (const SsOptionSpec *spec, void *options, double value)
{
  char *field = (char *)options + spec->offset;

  switch (spec->type) {
  case SS_OPTION_REAL:
    memcpy (field, &value, sizeof value);
    break;
  case SS_OPTION_INTEGER:
  case SS_OPTION_CHOICE: {
    int number = (int)value;

    memcpy (field, &number, sizeof number);
    break;
  }
  case SS_OPTION_BOOLEAN: {
    bool flag = value != 0.0;

    memcpy (field, &flag, sizeof flag);
    break;
  }
  case SS_OPTION_TEXT: /* ss_options_init has emptied it, ss_options_set writes it */
    break;
  }
}

int
ss_options_find (const SsOptionTable *table, const char *name)
{
  SS_ASSERT (table != NULL && name != NULL);

  for (int i = 0; i < table->n_specs; i++)
    if (strcmp (table->specs[i].name, name) == 0)
      return i;
  return -1;
}

const SsRetiredOption *
ss_options_retired (const SsOptionTable *table, const char *name)
{
  SS_ASSERT (table != NULL && name != NULL);

  for (int i = 0; i < table->n_retired; i++)
    if (strcmp (table->retired[i].name, name) == 0)
      return &table->retired[i];
  return NULL;
}

bool
ss_options_knows (const SsOptionTable *table, const char *name)
{
  return ss_options_find (table, name) >= 0 || ss_options_retired (table, name) != NULL;
}

/* Options and settings of code. */
static int
count_all (const SsOptionTable *table)
{
  return table->n_specs + table->n_inner;
}

void
ss_options_init (const SsOptionTable *table, void *options)
{
  SS_ASSERT (table != NULL && (table->n_specs == 0 || options != NULL));

  memset (options, 0, table->size);
  for (int i = 0; i < count_all (table); i++)
    store_number (&table->specs[i], options, table->specs[i].fallback);
}

double
ss_options_get (const SsOptionTable *table, const void *options, int spec)
{
  SS_ASSERT (table != NULL && options != NULL);
  SS_ASSERT (spec >= 0 && spec < count_all (table));

  const char *field = (const char *)options + table->specs[spec].offset;

  switch (table->specs[spec].type) {
  case SS_OPTION_REAL: {
    double value;

    memcpy (&value, field, sizeof value);
    return value;
  }
  case SS_OPTION_BOOLEAN: {
    bool flag;

    memcpy (&flag, field, sizeof flag);
    return flag ? 1.0 : 0.0;
  }
  case SS_OPTION_TEXT:
    return field[0] != '\0' ? 1.0 : 0.0;
  case SS_OPTION_INTEGER:
  case SS_OPTION_CHOICE:
    break;
  }
  {
    int number;

    memcpy (&number, field, sizeof number);
    return number;
  }
}

bool
ss_options_is_default (const SsOptionTable *table, const void *options, int spec)
{
  SS_ASSERT (table != NULL && spec >= 0 && spec < table->n_specs);

  double value = ss_options_get (table, options, spec), fallback = table->specs[spec].fallback;

  return value == fallback || (isnan (value) && isnan (fallback));
}

enum { MAX_GIVEN = 64 }; /* bits of the mask */

bool
ss_options_is_given (const SsOptionTable *table, const void *options, int spec)
{
  SS_ASSERT (table != NULL && options != NULL);
  SS_ASSERT (spec >= 0 && spec < count_all (table));

  uint64_t given;

  if (table->given_offset == 0 || spec >= MAX_GIVEN)
    return !ss_options_is_default (table, options, spec);
  memcpy (&given, (const char *)options + table->given_offset, sizeof given);
  return (given >> spec & 1) != 0;
}

void
ss_options_fill (const SsOptionTable *table, void *options, const SsOptionValue *values, int n_values)
{
  SS_ASSERT (n_values >= 0);
  for (int i = 0; i < n_values; i++)
    for (int s = 0; s < count_all (table); s++)
      if (table->specs[s].offset == values[i].offset && !ss_options_is_given (table, options, s))
        store_number (&table->specs[s], options, values[i].value);
}

static void
mark_given (const SsOptionTable *table, void *options, int spec)
{
  uint64_t given;

  if (table->given_offset == 0 || spec >= MAX_GIVEN)
    return;
  memcpy (&given, (char *)options + table->given_offset, sizeof given);
  given |= (uint64_t)1 << spec;
  memcpy ((char *)options + table->given_offset, &given, sizeof given);
}

/* Whether text could have said this number. */
static bool
is_allowed (const SsOptionSpec *spec, double value)
{
  int n_choices = 0;

  switch (spec->type) {
  case SS_OPTION_REAL:
    return value >= spec->minimum && value <= spec->maximum;
  case SS_OPTION_INTEGER:
    return value >= spec->minimum && value <= spec->maximum && value == floor (value);
  case SS_OPTION_BOOLEAN:
    return value == 0 || value == 1;
  case SS_OPTION_CHOICE:
    while (spec->choices[n_choices] != NULL)
      n_choices++;
    return value >= 0 && value < n_choices && value == floor (value);
  case SS_OPTION_TEXT:
    break;
  }
  return false;
}

void
ss_options_give (const SsOptionTable *table, void *options, const SsOptionValue *values, int n_values)
{
  SS_ASSERT (table != NULL && options != NULL && (n_values == 0 || values != NULL));

  for (int i = 0; i < n_values; i++) {
    int s = 0;

    while (s < count_all (table) && table->specs[s].offset != values[i].offset)
      s++;
    SS_ASSERT (s < count_all (table) && is_allowed (&table->specs[s], values[i].value));
    store_number (&table->specs[s], options, values[i].value);
    mark_given (table, options, s);
  }
}

double
ss_options_get_or_default (const SsOptionTable *table, const void *options, int spec)
{
  SS_ASSERT (table != NULL && spec >= 0 && spec < count_all (table));

  return options != NULL ? ss_options_get (table, options, spec) : table->specs[spec].fallback;
}

double
ss_options_value (const SsOptionTable *table, const void *options, const char *name, double fallback)
{
  SS_ASSERT (name != NULL);

  const int i = table != NULL ? ss_options_find (table, name) : -1;
  return i >= 0 ? ss_options_get_or_default (table, options, i) : fallback;
}

void
ss_options_format (const SsOptionTable *table, const void *options, int spec, char *buffer, size_t size)
{
  SS_ASSERT (table != NULL && options != NULL && buffer != NULL && size > 0);
  SS_ASSERT (spec >= 0 && spec < table->n_specs);

  double value = ss_options_get (table, options, spec);

  switch (table->specs[spec].type) {
  case SS_OPTION_BOOLEAN:
    snprintf (buffer, size, "%s", value != 0.0 ? "on" : "off");
    break;
  case SS_OPTION_CHOICE:
    snprintf (buffer, size, "%s", table->specs[spec].choices[(int)value]);
    break;
  case SS_OPTION_REAL:
  case SS_OPTION_INTEGER:
    ss_format_double (value, buffer, size);
    break;
  case SS_OPTION_TEXT:
    snprintf (buffer, size, "%s", (const char *)options + table->specs[spec].offset);
    break;
  }
}

/* What a value of this option looks like, for error messages. */
static void
describe_range (const SsOptionSpec *spec, char *buffer, size_t size)
{
  char low[32], high[32];
  size_t used = 0;

  switch (spec->type) {
  case SS_OPTION_BOOLEAN:
    snprintf (buffer, size, "on or off");
    return;
  case SS_OPTION_CHOICE:
    buffer[0] = '\0';
    for (int i = 0; spec->choices[i] != NULL && used + 1 < size; i++)
      used += (size_t)snprintf (buffer + used, size - used, "%s%s", i > 0 ? ", " : "one of ", spec->choices[i]);
    return;
  case SS_OPTION_TEXT:
    snprintf (buffer, size, "up to %d characters", SS_OPTION_TEXT_MAX - 1);
    return;
  case SS_OPTION_REAL:
  case SS_OPTION_INTEGER:
    break;
  }
  ss_format_double (spec->minimum, low, sizeof low);
  ss_format_double (spec->maximum, high, sizeof high);
  snprintf (buffer, size, "%s from %s to %s", spec->type == SS_OPTION_INTEGER ? "a whole number" : "a number", low,
            high);
}

static SsStatus
bad_value (const SsOptionSpec *spec, const char *value, SsError *err)
{
  ss_error_set (err, SS_ERR_INVALID, "option %s can't be \"%s\"", spec->name, value);
  if (err != NULL)
    describe_range (spec, err->expected, sizeof err->expected);
  return SS_ERR_INVALID;
}

static bool
read_boolean (const char *text, double *value)
{
  static const char *const yes[] = {"on", "true", "yes", "1"}, *const no[] = {"off", "false", "no", "0"};

  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    if (strcmp (text, yes[i]) == 0 || strcmp (text, no[i]) == 0) {
      *value = strcmp (text, yes[i]) == 0;
      return true;
    }
  }
  return false;
}

static bool
is_same_value (const char *a, const char *b)
{
  double x, y;

  return strcmp (a, b) == 0 || (ss_parse_double (a, &x) && ss_parse_double (b, &y) && x == y) ||
         (read_boolean (a, &x) && read_boolean (b, &y) && x == y);
}

static SsStatus
set_retired (const SsOptionTable *table, const SsRetiredOption *retired, void *options, const char *value, SsError *err)
{
  if (!is_same_value (value, retired->value)) {
    ss_error_set (err, SS_ERR_INVALID, "option %s is retired and can't be \"%s\"", retired->name, value);
    if (err != NULL)
      snprintf (err->expected, sizeof err->expected, "%s; %s", retired->value, retired->instead);
    return SS_ERR_INVALID;
  }
  for (int i = table->n_specs; i < count_all (table); i++)
    if (strcmp (table->specs[i].name, retired->name) == 0) {
      store_number (&table->specs[i], options, table->specs[i].fallback);
      mark_given (table, options, i);
    }
  return SS_OK;
}

SsStatus
ss_options_set (const SsOptionTable *table, void *options, const char *name, const char *value, SsError *err)
{
  SS_ASSERT (table != NULL && (table->n_specs == 0 || options != NULL));
  SS_ASSERT (name != NULL && value != NULL);

  const int found = ss_options_find (table, name);
  const SsOptionSpec *spec = found >= 0 ? &table->specs[found] : NULL;
  const SsRetiredOption *retired = ss_options_retired (table, name);
  double number = 0.0;

  if (retired != NULL)
    return set_retired (table, retired, options, value, err);
  if (spec == NULL) {
    enum { MAX_NAMES = 256 };
    const char *names[MAX_NAMES];
    int n_names = table->n_specs < MAX_NAMES ? table->n_specs : MAX_NAMES;
    const char *nearest;

    for (int i = 0; i < n_names; i++)
      names[i] = table->specs[i].name;
    nearest = ss_nearest_name (name, names, n_names);
    ss_error_set (err, SS_ERR_INVALID, "unknown option \"%s\"%s%s%s", name, nearest != NULL ? "; did you mean '" : "",
                  nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    return SS_ERR_INVALID;
  }

  switch (spec->type) {
  case SS_OPTION_REAL:
  case SS_OPTION_INTEGER:
    if (!ss_parse_double (value, &number) || number < spec->minimum || number > spec->maximum)
      return bad_value (spec, value, err);
    if (spec->type == SS_OPTION_INTEGER && number != floor (number))
      return bad_value (spec, value, err);
    break;
  case SS_OPTION_BOOLEAN:
    if (!read_boolean (value, &number))
      return bad_value (spec, value, err);
    break;
  case SS_OPTION_CHOICE: {
    int choice = 0;

    while (spec->choices[choice] != NULL && strcmp (spec->choices[choice], value) != 0)
      choice++;
    if (spec->choices[choice] == NULL)
      return bad_value (spec, value, err);
    number = choice;
    break;
  }
  case SS_OPTION_TEXT:
    if (strlen (value) >= SS_OPTION_TEXT_MAX)
      return bad_value (spec, value, err);
    memcpy ((char *)options + spec->offset, value, strlen (value) + 1);
    break;
  }
  store_number (spec, options, number);
  mark_given (table, options, (int)(spec - table->specs));
  return SS_OK;
}
