/* app/session/ssapp-lesson.h: the conditions of lessons: tutorials whose steps are data (data/lessons/, a file each),
 * each with the condition that says it is done and with what does it.
 *
 * A file: name, title, summary, idea (why), example (name of a scene of the gallery), steps. A step: title, text (its
 * numbers are checked against the run by `says`), action (the button to use, or none), and
 *   done  {"ran": method (any: an integrator), "where": {"mu": [from, to]}, "holds": formula, "page": page of the
 *         window}: all of them; with "ran" the numbers are those of the run, and the formula (job/ssapp-interests.h)
 *         is true of its motion; without it they are those of the sketch. Numbers are parameters, `dt` is the step of
 *         the scenario [s].
 *   play  {"set": {"mu": 0.6}, "method": "moreau-jean"}: what does it, for `stickslip-cli lessons --play`
 *   says  {"1.474": formula}: a number of the text, and what it is of the run that plays it, to its last digit
 * Threads: main thread only. Tests: tests/unit/test-tutorial.c, tests/cli/test-lessons.sh
 */
#pragma once

#include "app/session/ssapp-tutorial.h"

G_BEGIN_DECLS

/* Appends them (of SsappTutorial), in the order of their files, to be kept as long as the program lives. */
void ssapp_lessons_add (GArray *tutorials);
/* Whether the condition holds in the session, whose window shows `page`. */
gboolean ssapp_lesson_is_done (const json_t *done, SsappSession *session, const char *page);
/* Does what `play` says and waits for its runs; the sketch and the methods stay as they are then. The session needs a
 * project. FALSE with an error. */
gboolean ssapp_lesson_play (const json_t *play, SsappSession *session, GError **error);
/* NULL: the numbers that `says` has are those of the runs; else which is not, g_free. */
char *ssapp_lesson_check (const SsappTutorialStep *step, SsappSession *session);

G_END_DECLS
