/* app/bench/ssapp-paper-job.h: a table or figure of a paper made in a process of its own, for the window, by
 * `stickslip-cli paper NAME --to FOLDER/`; its pictures are in the user's folder (ssapp_paper_cache).
 * Threads: main thread only. Tests: tests/ui/test_reference.py
 */
#pragma once

#include "app/bench/ssapp-paper.h"

G_BEGIN_DECLS

#define SSAPP_TYPE_PAPER_JOB (ssapp_paper_job_get_type ())
G_DECLARE_FINAL_TYPE (SsappPaperJob, ssapp_paper_job, SSAPP, PAPER_JOB, GObject)

/* Signals: "told" (const char *line): what was done last; "ended" (): there is a result or an error. Runs at once. */
SsappPaperJob *ssapp_paper_job_new (const SsappPaper *paper, SsappPaperExtent extent);
/* Ends it with what there is; "ended" follows. */
void ssapp_paper_job_stop (SsappPaperJob *self);
/* Ends it now: nobody waits for it. */
void ssapp_paper_job_kill (SsappPaperJob *self);
/* Once it has ended: of SsappTable, a new reference; NULL: there is none. */
GPtrArray *ssapp_paper_job_get_tables (SsappPaperJob *self);
/* Whether it was told to stop before it was done. */
gboolean ssapp_paper_job_is_partial (SsappPaperJob *self);
/* Why there is no table; NULL: there is one, or it runs. Borrowed. */
const char *ssapp_paper_job_get_error (SsappPaperJob *self);

G_END_DECLS
