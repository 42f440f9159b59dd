/* engine/transcribe/ss-transcriptions.h: the list of transcriptions, and the options that every optimiser has by them.
 *
 * Help, `methods`, the window and the job lines walk these; nothing else lists transcriptions. A further one is one
 * line in ss-transcriptions.c.
 * Threads: any; filled once and constant afterwards. Tests: tests/numeric/test-transcript.c
 */
#pragma once

#include "transcribe/ss-transcribe.h"

typedef struct SsNlpClass SsNlpClass;

/* All transcriptions, the default first; index 0 .. count - 1. Static. */
int ss_transcription_count (void);
const SsTranscriptionClass *ss_transcription_at (int index);
/* That which an optimiser of this name uses for a scenario where no option is given: what the file's `methods` say of
 * it, else the default one. */
const SsTranscriptionClass *ss_transcription_of (const SsScenario *scenario, const char *method);
/* The options that every optimiser has for plans of scenes, besides its own: `transcription`, `coordinates`, then those
 * of each transcription. One struct of the table's size has them all. */
const SsOptionTable *ss_transcription_option_table (void);
/* The transcription that such a struct chooses, with its options, which borrow from it; steps are the plan's. */
SsTranscribeOptions ss_transcription_choose (const void *options);
/* The options as they act: polish=on where starts says so. Both of the table's size. */
void ss_transcription_resolve (const void *given, void *used);
/* The options of finite elements that a transcription by these has; NULL: it has none. */
const struct SsFesdOptions *ss_transcription_fesd_options (const SsTranscribeOptions *options);
/* Gives options of an optimiser (nlp->options) that neither user nor file has set what the transcription (NULL: the
 * default one) wants of it. */
void ss_transcription_suit (const SsTranscriptionClass *class_, const SsNlpClass *nlp, void *options);
