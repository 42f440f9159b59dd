/* app/study/ssapp-study-page.h: a figure of a study as one HTML page that computes: a click on a cell or a point makes
 * its run again in the reader's browser, holds it against the stored one and judges it; what varies may have any value.
 *
 * The page is that of one run (export/ssapp-page.h) with the figure above it and, of each run of the study, its job,
 * its metrics, the hash of its stored motion and places of bodies at some times. Runs in their order, until their
 * stored CPU time reaches `beside`, are made once more by the page's engine on this machine, whose bits
 * the reader's must equal. Of studies with many runs fewer places are told, at last none; where the file would still be
 * larger than SSAPP_PAGE_MOST there is no page.
 * Threads: any, one at a time. Tests: tests/cli/test-page.py
 */
#pragma once

#include "app/store/ssapp-store.h"
#include "app/study/ssapp-chart.h"
#include "app/study/ssapp-study.h"

G_BEGIN_DECLS

/* CPU time of stored runs that are made again beside a page, where nobody waits at a window [s]. */
#define SSAPP_STUDY_PAGE_BESIDE 20.

/* Borrowed. */
typedef struct {
  SsappStore *store;
  const SsappStudy *study;
  const SsappRunSet *set;  /* of ssapp_study_tasks_make_set: item i is task i */
  const SsappChart *chart; /* of the set                                      */
  double width_mm;
  double beside;             /* as SSAPP_STUDY_PAGE_BESIDE [s] */
  GCancellable *cancellable; /* NULL is allowed */
} SsappStudyPage;

/* FALSE with an error: the engine of pages was not built, no run of the study is a simulation of a scene, the page
 * would be too large, a run cannot be read, the file cannot be written. */
gboolean ssapp_study_page_export (const SsappStudyPage *page, const char *path, GError **error);

G_END_DECLS
