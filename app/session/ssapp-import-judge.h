/* app/session/ssapp-import-judge.h: runs that came from another project are judged again: what a run claims must be
 * borne out by its motion (app/job/ssapp-judge-again.h), since any program can write a project.
 *
 * Call on the store's thread, once a run: it takes as long as judging does, a window calls it between frames. Tests:
 * tests/unit/test-import.c */
#pragma once

#include "app/store/ssapp-store.h"

G_BEGIN_DECLS

/* What a run gets whose claims are not borne out. */
#define SSAPP_DOUBTFUL_TAG "doubtful"

/* What the run claims and its motion does not bear out, a sentence (g_free); it has the tag then. NULL: nothing, or it
 * is not judged: it is damaged or runs still, which its outcome says; or it succeeded and does not keep its motion,
 * which is counted in *n_without (may be NULL). */
char *ssapp_import_judge (SsappStore *store, const char *id, guint *n_without);

G_END_DECLS
