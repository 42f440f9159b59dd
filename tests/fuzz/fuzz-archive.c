/* tests/fuzz/fuzz-archive.c: an archive, somebody else's project, is taken into a project of one's own. What was there
 * stays as it was, whatever the archive is; nothing of it comes in where it is refused. */
#include "ss-fuzz-project.h"

#include "app/store/ssapp-store-check.h"
#include "app/store/ssapp-store-merge.h"

static char *mine;
static gsize mine_size;

static void
begin_mine (void)
{
  begin ();
  make_project (project, "mine");
  SS_CHECK (g_file_get_contents (project, &mine, &mine_size, NULL));
}

static void
end_mine (void)
{
  g_clear_pointer (&mine, g_free);
  end ();
}

static void
try_archive (const char *bytes, size_t length)
{
  g_autoptr (GError) error = NULL;

  put_project (project, mine, mine_size);
  put_project (other, bytes, length);
  g_autoptr (SsappStore) store = ssapp_store_open (project, FALSE, NULL);
  SS_CHECK (store != NULL);
  if (store == NULL)
    return;
  g_autoptr (GPtrArray) before = ssapp_store_list_runs (store, NULL, 0, NULL);
  SsappMerge told = {0};
  const gboolean ok = ssapp_store_merge (store, other, NULL, &told, &error);
  g_autoptr (GPtrArray) after = ssapp_store_list_runs (store, NULL, 0, NULL);
  SS_CHECK (ok == (error == NULL) && before != NULL && after != NULL);
  SS_CHECK (before->len > 0 && (ok ? after->len >= before->len : after->len == before->len));
  for (guint i = 0; i < before->len; i++) {
    SsTrajectory *motion = ssapp_store_get_trajectory (store, ((SsappRunRow *)before->pdata[i])->id, NULL);
    SS_CHECK (motion != NULL);
    ss_trajectory_free (motion);
  }
  SS_CHECK (ssapp_store_close (store, NULL));
}

static const SsFuzzTarget ss_fuzz_target = {.name = "archive",
                                            .iterations = 60,
                                            .most = 1 << 20,
                                            .begin = begin_mine,
                                            .end = end_mine,
                                            .try = try_archive,
                                            .tokens = tokens};
SS_FUZZ_MAIN
