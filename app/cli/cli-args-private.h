/* app/cli/cli-args-private.h: what the parser of the command line, its table of options and its readers share. */
#pragma once

#include "app/cli/cli-args.h"

struct CliArgs {
  const CliVerb *verb;
  GPtrArray *positional;
  GHashTable *values; /* name -> GPtrArray of char * */
  GPtrArray *nothing; /* empty */
};

typedef enum {
  KIND_FLAG,
  KIND_TEXT,
  KIND_NUMBER,
  KIND_SECONDS,
  KIND_SIZE,
  KIND_COUNT,
  KIND_PAIR,
  KIND_NUMBER_PAIR
} CliOptionKind;

typedef struct {
  const char *name;
  CliOptionKind kind;
  const char *value; /* as shown */
  guint64 groups;
  const char *summary;   /* %s: endings of the file */
  const char *file;      /* what is written into the file that it names (ssapp-file-kind.h); NULL: it names none, or one
                          whose kind other options say */
  char *(*words) (void); /* what stands for %s, instead of the endings of `file`; its text is freed */
} CliOption;

/* All options, one of a name for each meaning that it has; *n: how many. Static. */
const CliOption *cli_option_list (guint *n);
/* The one of that name that the verb takes; NULL: it takes none. Static. */
const CliOption *cli_option_find (const CliVerb *verb, const char *name);
/* With the endings that its file may have, or other words from a table; g_free. */
char *cli_option_summary (const CliOption *option);
/* What each exit status means, from 0; ends with NULL. */
extern const char *const cli_exit_statuses[];
