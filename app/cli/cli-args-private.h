/* app/cli/cli-args-private.h: what the parser of the command line and its readers share. */
#pragma once

#include "app/cli/cli-args.h"

struct CliArgs {
  const CliVerb *verb;
  GPtrArray *positional;
  GHashTable *values; /* name -> GPtrArray of char * */
  GPtrArray *nothing; /* empty */
};
