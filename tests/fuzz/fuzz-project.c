/* tests/fuzz/fuzz-project.c: files of projects whose bytes somebody changed: opened to read, listed, read, looked
 * through, and saved as what can be read. Each says no, or what it is not sure of. */
#include "ss-fuzz-project.h"

#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-copy.h"

static void
read_runs (SsappStore *store)
{
  const SsMetric objective = ss_metric_find ("objective");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = ssapp_store_list_runs (store, &objective, 1, &error);

  SS_CHECK ((runs == NULL) == (error != NULL));
  for (guint i = 0; runs != NULL && i < runs->len; i++) {
    const SsappRunRow *row = g_ptr_array_index (runs, i);
    g_autofree char *result G_GNUC_UNUSED = ssapp_store_get_result_json (store, row->id, NULL);
    g_autofree char *text G_GNUC_UNUSED = ssapp_store_get_scenario_text (store, row->id, NULL);
    g_autoptr (GError) motion_error = NULL;
    SsTrajectory *motion = ssapp_store_get_trajectory (store, row->id, &motion_error);
    SS_CHECK (motion == NULL || motion_error == NULL);
    ss_trajectory_free (motion);
  }
}

static void
try_project (const char *bytes, size_t length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) copying = NULL;

  put_project (project, bytes, length);
  g_autoptr (SsappStore) store = ssapp_store_open_to_read (project, &error);
  SS_CHECK ((store == NULL) == (error != NULL));
  if (store != NULL) {
    read_runs (store);
    g_autoptr (GPtrArray) sketches G_GNUC_UNUSED = ssapp_store_list_sketches (store, NULL);
    g_autoptr (SsappCheck) check G_GNUC_UNUSED = ssapp_store_check (store, NULL);
    ssapp_store_close (store, NULL);
  }
  g_unlink (other);
  SsappCopied *copied = ssapp_store_copy_readable (project, other, &copying);
  SS_CHECK ((copied == NULL) == (copying != NULL));
  ssapp_copied_free (copied);
}

static const char *const older[] = {"tests/data/projects/format-1.stickslip", NULL};
static const SsFuzzTarget ss_fuzz_target = {.name = "project",
                                            .iterations = 60,
                                            .most = 1 << 20,
                                            .begin = begin,
                                            .end = end,
                                            .try = try_project,
                                            .tokens = tokens,
                                            .more = older};
SS_FUZZ_MAIN
