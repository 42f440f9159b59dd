/* app/store/ssapp-store-check.h: whether what a project stores is what was stored: its checksums (format 7) looked
 * through. Lists and single runs are checked as they are read (ssapp-store.h); this is for all of it at once.
 *
 * Threads and errors as in ssapp-store.h. Tests: tests/cli/test-damage.sh, tests/store/test-upgrade.c */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* What does not match its checksum. */
typedef struct {
  const char *of; /* run, sketch, study, comparison, project */
  char *id;       /* "" of a project's */
  char *words;    /* "its metrics do not match their checksum" */
} SsappDamage;

typedef struct {
  gboolean has_sums; /* FALSE: the file is of an older format that has none, and cannot be brought to the present one */
  guint n_checked;   /* runs that ended, sketches, studies and comparisons */
  GPtrArray *damage; /* of SsappDamage, runs first; free function set */
} SsappCheck;

/* All that is stored, motions and samples too. NULL with an error where it cannot be read. */
SsappCheck *ssapp_store_check (SsappStore *self, GError **error);
void ssapp_check_free (SsappCheck *check); /* NULL is allowed */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappCheck, ssapp_check_free)

/* How many of these runs (ids; all that they have), with `all` of those that were removed too, and of all sketches,
 * studies and comparisons, do not match; `first`: one of them in words, g_free, NULL where there is none. */
guint ssapp_store_count_damaged (SsappStore *self, GPtrArray *run_ids, gboolean all, char **first);
/* What of one run does not match, in words; g_free. NULL: nothing, or an error. `with_motions`: their numbers and those
 * of samples too. */
char *ssapp_store_check_run (SsappStore *self, const char *id, gboolean with_motions, GError **error);

G_END_DECLS
