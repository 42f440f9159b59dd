/* app/cli/cli-sketch.h: sketches of projects on the command line: every verb that reads a scenario takes one as
 * PROJECT.stickslip#NAME, what it was in version N as PROJECT.stickslip#NAME@N, and the text that a run was made from
 * as PROJECT.stickslip#run:ID. Tested by tests/unit/test-sketches.c (names) and tests/cli/test-project.sh. */
#pragma once

#include "app/cli/cli-args.h"
#include "app/store/ssapp-store-sketch.h"

G_BEGIN_DECLS

/* Whether the path names a sketch, and no file that is there; *project (g_free) and *name (into `path`) then. In
 * cli-scenario.c, as the next two. */
gboolean cli_split_sketch (const char *path, char **project, const char **name);
/* The sketch of a path that names one, freed with ssapp_sketch_row_free; NULL after an error that was told. */
SsappSketchRow *cli_load_sketch (const char *path);
/* Its text, g_free; NULL after an error that was told. */
char *cli_read_sketch (const char *path);
/* `list --sketches`, and `show` of a sketch: exit status. */
int cli_list_sketches (const CliArgs *args, const char *project);
/* Versions of the sketch of that name or id. */
int cli_list_versions (const CliArgs *args, const char *project, const char *name);
int cli_show_sketch (const CliArgs *args, const char *path);
/* The verbs. */
int cli_add (const CliArgs *args);
int cli_edit (const CliArgs *args);    /* cli-edit.c */
int cli_convert (const CliArgs *args); /* cli-convert.c */

G_END_DECLS
