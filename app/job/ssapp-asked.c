/* app/job/ssapp-asked.c: see the header. */
#include "app/job/ssapp-asked.h"

#include "app/base/ssapp-json.h"
#include "app/job/ssapp-interests.h"

#include <math.h>

char *
ssapp_asked_motion_hash (const SsTrajectory *motion)
{
  g_autoptr (GBytes) bytes = ssapp_trajectory_to_bytes (motion);

  return g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
}

static const char *
verb_of (const SsappJobSpec *spec)
{
  return spec->plan != NULL ? "replay" : ss_method_kind_spec (spec->kind)->verb;
}

typedef struct {
  const char *run;
  int rows, channels;
  const char *sha256;
} AskedMotion;

static const SsappRecordField motion_fields[] = {
    SSAPP_FIELD (AskedMotion, run, "run", STRING, "", "id of its run; empty: of no run"),
    SSAPP_FIELD (AskedMotion, rows, "rows", INTEGER, "", "of its table"),
    SSAPP_FIELD (AskedMotion, channels, "channels", INTEGER, "", "of its table"),
    SSAPP_FIELD (AskedMotion, sha256, "sha256", STRING, "", "of its numbers")};
static const SsappRecord motion_record = SSAPP_RECORD (AskedMotion, motion_fields);

static const SsappRecordField loop_fields[] = {
    SSAPP_FIELD (SsappAskedLoop, disturbed, "disturbed", STRING, "", "what disturbs it: none, noise, kick, ..."),
    SSAPP_FIELD (SsappAskedLoop, steps, "steps", INTEGER, "", "made, each plan as long; 0: the task once"),
    SSAPP_FIELD_AS (SsappAskedLoop, set, "set", "{number}", true, "", "parameters of the first plan")};
const SsappRecord ssapp_asked_loop_record = SSAPP_RECORD (SsappAskedLoop, loop_fields);

/* What was not asked for is not told. */
typedef struct {
  const char *verb;
  double dt, t_end;
  json_t *seed;
  double seconds, cpu_seconds, bytes, ways_on, bound;
  int keep_iterates, every, pause_at;
  json_t *outcomes;
  const char *sensitivity;
  AskedMotion *motion;
  SsappAskedLoop *loop;
  double at, touching, tolerance;
  GPtrArray *planes;
  int by_hand;
} Asked;

static const SsappRecordField asked_fields[] = {
    SSAPP_FIELD (Asked, verb, "verb", STRING, "", "of the command line; bench: a closed loop; sandbox: of the window"),
    SSAPP_FIELD_FREE (Asked, dt, "dt", REAL, "s", "step"),
    SSAPP_FIELD_FREE (Asked, t_end, "t_end", REAL, "s", "end"),
    SSAPP_FIELD_AS (Asked, seed, "seed", "count", true, "", "of random numbers"),
    SSAPP_FIELD_FREE (Asked, seconds, "seconds", REAL, "s", "limit of wall time"),
    SSAPP_FIELD_FREE (Asked, cpu_seconds, "cpu_seconds", REAL, "s", "limit of CPU time, of all threads and processes"),
    SSAPP_FIELD_FREE (Asked, bytes, "bytes", REAL, "B", "limit of address space"),
    SSAPP_FIELD_FREE (Asked, ways_on, "ways_on", REAL, "s", "counted time for ways on after a failure"),
    SSAPP_FIELD_FREE (Asked, bound, "bound", REAL, "s", "CPU time for a lower bound after the answer"),
    SSAPP_FIELD_FREE (Asked, keep_iterates, "keep_iterates", INTEGER, "", "every how many iterates are kept"),
    SSAPP_FIELD_FREE (Asked, every, "every", INTEGER, "", "every how many steps rows are kept"),
    SSAPP_FIELD_FREE (Asked, pause_at, "pause_at", INDEX, "", "iteration at which it ends as paused"),
    SSAPP_FIELD_AS (Asked, outcomes, "outcomes", "{text}", true, "", "formulas that are asked of the motion, by name"),
    SSAPP_FIELD_FREE (Asked, sensitivity, "sensitivity", LABEL, "", "numbers by which derivatives are followed"),
    SSAPP_FIELD_MADE_OF (Asked, motion, "motion", RECORD, &motion_record, true,
                         "plan that a replay follows, or motion that an optimiser starts from"),
    SSAPP_FIELD_MADE_OF (Asked, loop, "loop", RECORD, &ssapp_asked_loop_record, true, "closed loop of bench mpc"),
    SSAPP_FIELD_FREE (Asked, at, "at", REAL, "s", "time of the state at an impact"),
    SSAPP_FIELD_FREE (Asked, touching, "touching", REAL, "m", "gap below which points touch"),
    SSAPP_FIELD_FREE (Asked, tolerance, "tolerance", REAL, "m/s", "speeds below are 0 where modes are named"),
    SSAPP_FIELD_FREE (Asked, planes, "planes", TEXTS, "", "planes whose hulls are asked for"),
    SSAPP_FIELD_FREE (Asked, by_hand, "by_hand", INTEGER, "", "changes by hand in the sandbox")};
const SsappRecord ssapp_asked_record = SSAPP_RECORD (Asked, asked_fields);

json_t *
ssapp_asked_to_json (const SsappJobSpec *spec)
{
  g_return_val_if_fail (spec != NULL, NULL);
  const gboolean is_impact = spec->kind == SS_METHOD_IMPACT_LAW, is_replay = spec->plan != NULL;
  const SsTrajectory *given = is_replay ? spec->plan : spec->start;
  const char *from = is_replay ? spec->replay_of : spec->start_from;
  g_autofree char *hash = given != NULL ? ssapp_asked_motion_hash (given) : NULL;
  AskedMotion motion = {from, given != NULL ? given->n_rows : 0, given != NULL ? given->n_channels : 0, hash};
  const gboolean has_tolerance = is_impact && spec->tolerance != SS_IMPACT_MODE_TOLERANCE;
  Asked told = {.verb = verb_of (spec),
                .dt = spec->dt,
                .t_end = spec->t_end,
                .seed = spec->has_seed ? json_integer ((json_int_t)spec->seed) : NULL,
                .seconds = spec->seconds,
                .cpu_seconds = spec->cpu_seconds,
                .bytes = spec->bytes,
                .ways_on = spec->ways_on,
                .bound = spec->bound,
                .keep_iterates = MAX (spec->keep_every, 0),
                .pause_at = spec->pause_at,
                .every = spec->every > 1 ? spec->every : 0,
                .outcomes = spec->outcomes->len > 0 ? ssapp_interests_texts_to_json (spec->outcomes) : NULL,
                .sensitivity = spec->sensitivity,
                .motion = given != NULL ? &motion : NULL,
                .at = is_impact ? spec->at : (double)NAN,
                .touching = is_impact && spec->touching > 0 ? spec->touching : (double)NAN,
                .tolerance = has_tolerance ? spec->tolerance : (double)NAN,
                .planes = is_impact ? spec->planes : NULL};

  return ssapp_record_give_to_json (&ssapp_asked_record, &told);
}
