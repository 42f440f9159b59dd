/* app/study/ssapp-study-ideas.h: axes to begin a study with, for who has not chosen any.
 *
 * Threads: any, one at a time. Tests: tests/unit/test-study-session.c
 */
#pragma once

#include "app/study/ssapp-study.h"

G_BEGIN_DECLS

/* An axis, its values as they are typed, and what it is for people. */
typedef struct {
  char *name, *values, *title;
  const SsMethod *method;        /* that a study has to have for it; NULL: any */
  char *with_name, *with_values; /* axis without which it shows nothing, and comes along; NULL: none */
} SsappAxisIdea;

/* Of SsappAxisIdea, at most four, in this order: the law of impacts where bodies meet or bounce (where nothing moves or
 * bounces by itself, with start velocities), numbers among the
 * parameters, the velocity of the fastest body, the first restitution. None that is an axis of the study; empty when
 * the scenario cannot be read. g_ptr_array_unref. */
GPtrArray *ssapp_study_list_ideas (const SsappStudy *study);

/* The axis becomes one of the study; its method, where the study has not got it, the only one, since others would be
 * run once a value of the axis, each time the same. What it comes with becomes an axis, too. */
gboolean ssapp_study_take_idea (SsappStudy *study, const SsappAxisIdea *idea, GError **error);

G_END_DECLS
