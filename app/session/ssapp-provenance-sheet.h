/* app/session/ssapp-provenance-sheet.h: all that a stored run may depend on, on one sheet: what was asked for
 * (scenario, parameters, method, options with their defaults, seed, limits), what it came from, the program, its
 * libraries and the machine, and when it ran. The window's dialog, `stickslip-cli provenance` and what is copied are
 * this.
 *
 * Threads: main thread only. Tests: tests/unit/test-reproduce.c, tests/cli/test-reproduce.sh */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* Texts owned. */
typedef struct {
  char *key;           /* for programs: "option.tolerance", "commit" */
  char *title, *value; /* for people                     */
  char *usual;         /* what it would be by itself; NULL: there is no such thing */
  gboolean is_changed; /* from that                       */
} SsappSheetRow;

typedef struct {
  const char *title; /* static */
  GArray *rows;      /* of SsappSheetRow; never empty */
} SsappSheetGroup;

typedef struct {
  char *run;      /* id */
  char *name;     /* "CRISP, push-box, 1a2b3c4d" */
  GArray *groups; /* of SsappSheetGroup */
} SsappProvenanceSheet;

/* Of a stored run, by id, beginning of one or `last`; NULL with an error. */
SsappProvenanceSheet *ssapp_provenance_sheet_new (SsappStore *store, const char *id, GError **error);
void ssapp_provenance_sheet_free (SsappProvenanceSheet *self);
/* A heading a group, a line a row, what differs from the default marked with *; g_free. */
char *ssapp_provenance_sheet_dup_text (const SsappProvenanceSheet *self);
/* {"run", "name", "groups": [{"title", "rows": [{"key", "title", "value", "default", "changed"}]}]} */
json_t *ssapp_provenance_sheet_to_json (const SsappProvenanceSheet *self);

G_END_DECLS
