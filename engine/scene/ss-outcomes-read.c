/* engine/scene/ss-outcomes-read.c: reads the section `outcomes`: formulas over the motion, by name
 * (scene/ss-interest.h). Names and units are checked against the channels that motions of the scenario have. */
#include "scene/ss-interest.h"
#include "scene/ss-scenario-private.h"

#include <string.h>

/* Channels of motions of the scene, or of the model, without rows. */
static SsStatus
new_channels (const SsScene *scene, const SsModel *model, SsTrajectory **out, SsError *err)
{
  *out = NULL;
  if (scene != NULL)
    return ss_scene_trajectory_new (scene, 0, out, err);
  SsChannel *channels = ss_new_array (SsChannel, 1 + model->n_variables + model->n_channels);
  SsStatus status = ss_error_set (err, SS_ERR_MEMORY, "out of memory");

  if (channels != NULL) {
    channels[0] = ss_channel_of_time ();
    for (int i = 0; i < model->n_variables; i++)
      channels[1 + i] = ss_model_channel (model, i);
    for (int i = 0; i < model->n_channels; i++)
      channels[1 + model->n_variables + i] = model->channels[i].about;
    status = ss_trajectory_new (channels, 1 + model->n_variables + model->n_channels, 0, out, err);
  }
  ss_free (channels);
  return status;
}

SsStatus
ss_interest_unit_of (const SsInterest *interest, const SsScenario *scenario, char unit[SS_INTEREST_UNIT], SsError *err)
{
  SsTrajectory *channels = NULL;

  SS_ASSERT (scenario != NULL);
  SsStatus status = new_channels (scenario->scene, scenario->model, &channels, err);
  if (status == SS_OK)
    status = ss_interest_unit (interest, channels, unit, err);
  ss_trajectory_free (channels);
  return status;
}

static void
check (SsReader *reader, const SsJsonAt *at, const SsTrajectory *channels, SsScenarioInterest *item)
{
  SsInterest *interest = NULL;
  char unit[SS_INTEREST_UNIT] = "";
  SsError err = {0};
  SsStatus status = ss_interest_new (item->formula, &interest, &err);

  if (status == SS_OK)
    status = ss_interest_unit (interest, channels, unit, &err);
  ss_interest_free (interest);
  item->unit = ss_reader_strdup (reader, unit);
  if (status == SS_ERR_MEMORY)
    reader->out_of_memory = true;
  else if (status != SS_OK && err.column > 0)
    ss_reader_problem (reader, at, "a formula over channels and events of the motion", "%s (at character %d)",
                       err.message, err.column);
  else if (status != SS_OK)
    ss_reader_problem (reader, at, "a formula over channels and events of the motion", "%s", err.message);
}

/* "final(box.x)", or {"formula": "final(box.x)", "description": "..."}. */
static void
read_outcome (SsReader *reader, const SsJsonAt *at, const SsTrajectory *channels, SsScenarioInterest *item)
{
  SsJsonAt formula_at = *at;

  *item = (SsScenarioInterest){.description = "", .unit = "", .line = ss_reader_line (reader, at)};
  item->name = ss_reader_strdup (reader, at->key);
  item->formula = "";
  ss_read_is_name (reader, at, item->name, false, "an outcome");
  if (ss_scenario_parameter (reader->scenario, item->name) >= 0)
    ss_reader_problem (reader, at, "another name", "'%s' is a parameter already", item->name);
  if (json_is_object (at->value)) {
    item->description = ss_read_text (reader, at, "description", "");
    if (!ss_read_member (reader, at, "formula", "a formula in quotes", &formula_at))
      return;
  }
  if (!json_is_string (formula_at.value)) {
    ss_reader_problem (reader, &formula_at, "a formula in quotes, such as \"final(box.x)\"", "this is no formula");
    return;
  }
  item->formula = ss_reader_strdup (reader, json_string_value (formula_at.value));
  check (reader, &formula_at, channels, item);
}

void
ss_read_outcomes (SsReader *reader, const SsJsonAt *root)
{
  SsJsonAt at, item_at;
  SsScenarioInterest *list = NULL;
  SsTrajectory *channels = NULL;
  int n = 0, capacity = 0;

  if (!ss_at_member (reader, root, "outcomes", &at) || !ss_read_is_object (reader, &at))
    return;
  if (new_channels (reader->scenario->scene, reader->model, &channels, NULL) != SS_OK) {
    reader->out_of_memory = true;
    return;
  }
  for (bool more = ss_at_first (reader, &at, &item_at); more; more = ss_at_next (reader, &item_at))
    if (strcmp (item_at.key, "description") != 0 &&
        ss_reader_reserve (reader, (void **)&list, &capacity, n + 1, sizeof *list))
      read_outcome (reader, &item_at, channels, &list[n++]);
  ss_trajectory_free (channels);
  reader->scenario->n_interests = n;
  reader->scenario->interests = ss_reader_keep (reader, list, n, sizeof *list);
}
