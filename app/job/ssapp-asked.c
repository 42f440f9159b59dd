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

static void
set_number (json_t *object, const char *key, double value)
{
  if (isfinite (value))
    json_object_set_new (object, key, json_real (value));
}

static json_t *
motion_to_json (const SsTrajectory *motion, const char *run)
{
  g_autofree char *hash = ssapp_asked_motion_hash (motion);

  return json_pack ("{s:s, s:i, s:i, s:s}", "run", run != NULL ? run : "", "rows", motion->n_rows, "channels",
                    motion->n_channels, "sha256", hash);
}

static void
add_impact (json_t *object, const SsappJobSpec *spec)
{
  json_t *planes = json_array ();

  set_number (object, "at", spec->at);
  if (spec->touching > 0)
    set_number (object, "touching", spec->touching);
  if (spec->tolerance != SS_IMPACT_MODE_TOLERANCE)
    set_number (object, "tolerance", spec->tolerance);
  for (guint i = 0; i < spec->planes->len; i++)
    json_array_append_new (planes, json_string (g_ptr_array_index (spec->planes, i)));
  if (spec->planes->len > 0)
    json_object_set (object, "planes", planes);
  json_decref (planes);
}

json_t *
ssapp_asked_to_json (const SsappJobSpec *spec)
{
  g_return_val_if_fail (spec != NULL, NULL);
  json_t *object = json_object ();

  json_object_set_new (object, "verb", json_string (verb_of (spec)));
  set_number (object, "dt", spec->dt);
  set_number (object, "t_end", spec->t_end);
  if (spec->has_seed)
    json_object_set_new (object, "seed", json_integer ((json_int_t)spec->seed));
  set_number (object, "seconds", spec->seconds);
  set_number (object, "cpu_seconds", spec->cpu_seconds);
  set_number (object, "bytes", spec->bytes);
  set_number (object, "ways_on", spec->ways_on);
  set_number (object, "bound", spec->bound);
  if (spec->keep_every > 0)
    json_object_set_new (object, "keep_iterates", json_integer (spec->keep_every));
  if (spec->every > 1)
    json_object_set_new (object, "every", json_integer (spec->every));
  if (spec->outcomes->len > 0)
    json_object_set_new (object, "outcomes", ssapp_interests_texts_to_json (spec->outcomes));
  if (spec->sensitivity != NULL)
    json_object_set_new (object, "sensitivity", json_string (spec->sensitivity));
  if (spec->plan != NULL)
    json_object_set_new (object, "motion", motion_to_json (spec->plan, spec->replay_of));
  else if (spec->start != NULL)
    json_object_set_new (object, "motion", motion_to_json (spec->start, spec->start_from));
  if (spec->kind == SS_METHOD_IMPACT_LAW)
    add_impact (object, spec);
  return object;
}
