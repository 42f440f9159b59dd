/* engine/core/ss-option.h: one table per method describes its options.
 *
 * The table feeds the defaults, the validation, `methods`, --option, the job format and the window's option rows, so
 * that they cannot disagree. Options live in a plain struct per method; the table stores offsets into it.
 */
#pragma once

#include "core/ss-status.h"

typedef enum {
  SS_OPTION_REAL,
  SS_OPTION_INTEGER,
  SS_OPTION_BOOLEAN,
  SS_OPTION_CHOICE,
  SS_OPTION_TEXT /* default "" */
} SsOptionType;

enum { SS_OPTION_TEXT_MAX = 256 }; /* bytes of a TEXT, with the terminator */

typedef struct {
  const char *name;           /* as on the command line                                                     */
  SsOptionType type;          /* field is double, int, bool, int (index into choices), char[SS_OPTION_TEXT_MAX] */
  size_t offset;              /* offsetof the field                                                         */
  double minimum, maximum;    /* inclusive range of REAL and INTEGER                                        */
  double fallback;            /* default (BOOLEAN 0/1; CHOICE index)                                        */
  const char *const *choices; /* CHOICE: NULL-terminated names                                              */
  const char *symbol;         /* the paper's letter, or ""                                                  */
  const char *unit;           /* "" if none                                                                 */
  bool common;                /* shown in the window's short list                                           */
  const char *summary;        /* one sentence: what it does and what gets worse when raised                 */
} SsOptionSpec;

/* An option that was, for stored runs and scripts that still name it. */
typedef struct {
  const char *name;
  const char *value;   /* what holds now, as text: a given option of this value changes nothing, others are refused */
  const char *instead; /* what does what the option was for */
} SsRetiredOption;

typedef struct {
  int n_specs;
  const SsOptionSpec *specs;
  size_t size; /* of the options struct */
  /* of a uint64_t in it with one bit per option that ss_options_set has set; 0: none (it can't be the first field) */
  size_t given_offset;
  /* Specs behind the n_specs: settings that presets and other code have values for (ss_options_fill, ss_options_give).
   * They have defaults as options have; nobody names them. */
  int n_inner;
  int n_retired;
  const SsRetiredOption *retired;
} SsOptionTable;

/* Place of an option in its table; -1: it has none of that name. */
int ss_options_find (const SsOptionTable *table, const char *name);
/* NULL: no option of that name was retired. */
const SsRetiredOption *ss_options_retired (const SsOptionTable *table, const char *name);
/* Whether ss_options_set knows the name: an option's, or a retired one's. */
bool ss_options_knows (const SsOptionTable *table, const char *name);
void ss_options_init (const SsOptionTable *table, void *options); /* defaults */
/* Sets one option from text. Unknown names suggest the nearest one; out of range or malformed values say what was
 * expected, retired ones of another value what holds instead. Returns SS_ERR_INVALID and leaves `options` unchanged in
 * these cases. A retired option of the value that holds is taken; as a setting of code it counts as given, so that no
 * preset changes it. Numbers use '.' in every locale. */
SS_NODISCARD SsStatus ss_options_set (const SsOptionTable *table, void *options, const char *name, const char *value,
                                      SsError *err);
/* Number, 0 or 1, or index of the choice; of a TEXT 0 where it is empty, else 1. */
double ss_options_get (const SsOptionTable *table, const void *options, int spec);
/* The same; `options` NULL: its default. */
double ss_options_get_or_default (const SsOptionTable *table, const void *options, int spec);
/* The same of the option of that name; `fallback` where the table has none. */
double ss_options_value (const SsOptionTable *table, const void *options, const char *name, double fallback);
void ss_options_format (const SsOptionTable *table, const void *options, int spec, char *buffer, size_t size);
/* True when the option has its default value. */
bool ss_options_is_default (const SsOptionTable *table, const void *options, int spec);

/* True when ss_options_set has set the option, also to its default value; without a mask in the table: when its value
 * is not the default. */
bool ss_options_is_given (const SsOptionTable *table, const void *options, int spec);

/* A value of an option whose field is no text: number, 0 or 1, or index of the choice. */
typedef struct {
  size_t offset; /* of the field */
  double value;
} SsOptionValue;

/* Gives options that were not given these values; they stay not given. */
void ss_options_fill (const SsOptionTable *table, void *options, const SsOptionValue *values, int n_values);
/* Gives options these values, which count as given, as those of ss_options_set do. For settings that code has for a
 * method that it knows: each is a field of the table's options, in the option's range. */
void ss_options_give (const SsOptionTable *table, void *options, const SsOptionValue *values, int n_values);

/* Letters to insert, take out or replace to get from one to the other, whatever their case. */
int ss_edit_distance (const char *a, const char *b);
/* Nearest of `names` to `wrong` by edit distance, at most 1 + length/3; else the first that begins with it; or NULL. */
const char *ss_nearest_name (const char *wrong, const char *const *names, int n_names);

/* Text to double with '.' as decimal sign in every locale; the whole text must be used. False if it is no finite
 * number. */
bool ss_parse_double (const char *text, double *value);
/* Shortest decimal text that reads back as `value`, '.' in every locale; buffer of at least 32 bytes. */
void ss_format_double (double value, char *buffer, size_t size);
