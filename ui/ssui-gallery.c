/* ui/ssui-gallery.c: see the header. */
#include "ui/ssui-gallery.h"

#include "ui/ssui-util.h"

#include <string.h>

static const SsuiExample examples[] = {
    {"falling-box", "Falling Box", "lands on a corner, tips over, comes to rest", "Simulation",
     "Stewart–Trinkle time stepping", SSUI_RESOURCE_PATH "/examples/sketches/falling-box.stickslip.json",
     SSUI_RESOURCE_PATH "/gallery/falling-box.csv", "stewart-trinkle"},
    {"push-box", "Push Box", "18 targets, one contact at a time", "Contact-implicit planning", "Li et al. 2025, CRISP",
     SSUI_RESOURCE_PATH "/examples/crisp/push-box.stickslip.json", SSUI_RESOURCE_PATH "/gallery/push-box.csv", "crisp"},
};

int
ssui_gallery_count (void)
{
  return (int)G_N_ELEMENTS (examples);
}

const SsuiExample *
ssui_gallery_at (int index)
{
  return &examples[index];
}

const SsuiExample *
ssui_gallery_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    if (strcmp (examples[i].name, name) == 0)
      return &examples[i];
  return NULL;
}

char *
ssui_gallery_load_text (const SsuiExample *example, GError **error)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (example->scenario, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  gsize length = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  return data != NULL ? g_strndup (data, length) : NULL;
}

/* Our own resource: a header of channel names, then rows of numbers. NULL if it is not that. */
static SsTrajectory *
parse_csv (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) names = NULL;
  g_autofree double *row = NULL;
  SsTrajectory *trajectory = NULL;
  guint n;
  SsError err;

  if (lines[0] == NULL)
    return NULL;
  names = g_strsplit (g_strstrip (lines[0]), ",", -1);
  n = g_strv_length (names);
  row = g_new0 (double, n + 1);
  if (ss_trajectory_new ((const char *const *)names, (int)n, 0, &trajectory, &err) != SS_OK)
    return NULL;
  for (int line = 1; lines[line] != NULL; line++) {
    const char *p = g_strstrip (lines[line]);
    guint column = 0;
    for (char *end = NULL; *p != '\0' && column < n; column++, p = *end == ',' ? end + 1 : end)
      row[column] = g_ascii_strtod (p, &end);
    if (column == n && ss_trajectory_append (trajectory, row, &err) != SS_OK) {
      ss_trajectory_free (trajectory);
      return NULL;
    }
  }
  return trajectory;
}

SsappRun *
ssui_gallery_make_run (const SsuiExample *example, GError **error)
{
  g_autofree char *text = ssui_gallery_load_text (example, error);
  g_autoptr (GBytes) motion = NULL;
  SsappRun *run = text != NULL ? ssapp_run_new (text, example->method, error) : NULL;

  if (run == NULL)
    return NULL;
  motion = g_resources_lookup_data (example->motion, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  if (motion != NULL) {
    gsize length;
    const char *data = g_bytes_get_data (motion, &length);
    g_autofree char *csv = g_strndup (data, length);
    SsTrajectory *trajectory = parse_csv (csv);
    if (trajectory != NULL)
      ssapp_run_take_trajectory (run, trajectory);
  }
  return run;
}
