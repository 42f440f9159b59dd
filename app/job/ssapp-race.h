/* app/job/ssapp-race.h: the members of a race as JSON, in events and results, and read from it.
 *
 * {"account": text, "members": [{"name", "label", "summary", "state", "best", "began", "ended", "cpu", "objective",
 * "violation", "replay", "feedback", "front", "marks", "reason", "run"}, ...]}: times in s since the race's start; null
 * where there is none yet; replay: how far from its end a replay at a tenth of the step ends [m]; feedback: the same
 * held by LQR; front, marks: of the race's front (core/ss-members.h), at its end; run: what the member's answer is kept
 * as, in a result.
 * Tests: tests/ui/test_race.py, through events, a stored run and the window */
#pragma once

#include <glib.h>
#include <jansson.h>

#include "app/base/ssapp-record.h"
#include "core/ss-members.h"

G_BEGIN_DECLS

/* Its summary is owned. */
typedef struct {
  SsMember own; /* without `found`, `loose` and `solution` */
  char *run;    /* what its answer is kept as; owned; NULL: it was not kept */
} SsappMember;

typedef struct {
  char *account;   /* who won and why, or what there is so far */
  GArray *members; /* of SsappMember, in the order of their start */
  char **names;    /* of the members, up to NULL; set by ssapp_race_from_json */
} SsappRace;
extern const SsappRecord ssapp_race_record; /* of SsappRace */

/* New reference. `run`: id of the run; `solutions`: list of the result, whose items name theirs; NULL: while it runs.
 * */
json_t *ssapp_race_to_json (const SsMember *members, int n, const char *run, const json_t *solutions);
/* A race that was ended from outside: who was not done was stopped. */
void ssapp_race_end (json_t *race);
/* NULL: it is no race. Release with ssapp_race_free. */
SsappRace *ssapp_race_from_json (const json_t *race);
void ssapp_race_free (SsappRace *race); /* NULL is allowed */

/* Words of a state, "Best" for the best answer; static. */
const char *ssapp_member_state_words (const SsappMember *member);
/* "Relaxation: solved, 0.8 to 2.1 s, objective 0.58, violation 2e-15", and the reason; g_free. */
char *ssapp_member_describe (const SsappMember *member);
/* "Cheapest, steadiest" of its marks, "On the front" of one without; NULL: it is not on the front. g_free. */
char *ssapp_member_dup_marks (const SsappMember *member);
/* "cheapest: Relaxation, cost 0.58, 85 mm off at a tenth of the step, 3 mm under feedback"; g_free. */
char *ssapp_member_describe_front (const SsappMember *member);
/* The run that a race's result keeps the answer with that mark as; NULL: none. `mark`: a name of SsMemberMark. */
const char *ssapp_race_find_run (const SsappRace *race, const char *mark);
/* Positions of the members in the order of worth: the winner, the front, other honest answers, each by objective, the
 * others by number. Of a race that goes on: by number, so that lines keep their places. g_free. */
guint *ssapp_race_rank (const SsappRace *race);
/* For scripts of the window: [{"name", "state", "best", "marks", "reason", "run"}, ...]; NULL: JSON's null. */
json_t *ssapp_race_describe (const SsappRace *race);

G_END_DECLS
