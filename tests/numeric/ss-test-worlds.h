/* tests/numeric/ss-test-worlds.h: a block that a force pushes on a floor, with or without a wall at its goal. */
#pragma once

#include "ss-test-scenario.h"

/* The wall's face is at x = .6, where the block of half width .1 has x = .5; `more` goes into the task. */
static inline SsScenario *
ss_test_read_block (bool has_wall, const char *more)
{
  char text[3000];

  snprintf (
      text, sizeof text,
      "{\"format\": 1, \"name\": \"block\", \"parameters\": {\"mu\": {\"value\": 0.3, \"minimum\": 0}, \"n\": 20}, "
      "\"scene\": {\"gravity\": [0, -10], \"bodies\": ["
      "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"type\": \"half-plane\", \"normal\": [0, 1]}}, "
      "{\"name\": \"wall\", \"fixed\": true, \"position\": [%s, 0.2], "
      "\"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.4}}, "
      "{\"name\": \"block\", \"mass\": 1, \"position\": [0, 0.1], "
      "\"shape\": {\"type\": \"box\", \"width\": 0.2, \"height\": 0.2}}], "
      "\"contacts\": [{\"bodies\": [\"floor\", \"block\"], \"name\": \"ground\", \"friction\": \"mu\"}, "
      "{\"bodies\": [\"block\", \"wall\"], \"name\": \"stop\", \"friction\": 0}], "
      "\"actuators\": [{\"name\": \"push\", \"type\": \"force\", \"body\": \"block\", \"direction\": [1, 0], "
      "\"lower\": -20, \"upper\": 20}]}, "
      "\"task\": {\"horizon\": 1, \"steps\": \"n\", "
      "\"targets\": [{\"body\": \"block\", \"position\": [0.5, null], \"velocity\": [0, 0]}]%s}}",
      has_wall ? "0.7" : "70", more);
  return ss_test_read_text (text);
}
