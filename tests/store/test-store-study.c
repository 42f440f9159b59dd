/* tests/store/test-store-study.c: studies of a project, which run answers which task, tags. */
#include "app/store/ssapp-store-study.h"
#include "tests/ss-test-store.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

static char *path;

static const SsMethodId crisp = {SS_METHOD_OPTIMISER, "crisp"};

static SsappStore *
open_store (void)
{
  GError *error = NULL;
  SsappStore *store = ssapp_store_open (path, TRUE, &error);

  SS_CHECK (store != NULL && error == NULL);
  return store;
}

/* A run of that id, ended with an outcome unless it is NULL. */
static void
add_run (SsappStore *store, const char *id, const char *outcome)
{
  SS_CHECK (ssapp_store_record (store, id, "{}", "a", crisp, NULL, NULL, 0, NULL));
  if (g_strcmp0 (outcome, "interrupted") == 0) {
    SS_CHECK (ssapp_store_abandon (store, id, outcome, "", NULL, NULL));
  } else if (outcome != NULL) {
    g_autofree char *result = g_strdup_printf ("{\"outcome\":\"%s\"}", outcome);
    SS_CHECK (ssapp_store_finish (store, id, result, NULL, NULL));
  }
  SS_CHECK (ssapp_store_flush (store, NULL));
}

static void
studies_are_kept (void)
{
  SsappStore *store = open_store ();
  g_autoptr (GError) error = NULL;
  g_autofree char *a = ssapp_store_add_study (store, "First", "{\"a\":1}", 3, &error),
                  *b = ssapp_store_add_study (store, "Second", "{\"b\":1}", 4, &error);

  SS_CHECK (a != NULL && b != NULL);
  SS_CHECK (ssapp_store_set_study (store, a, "First study", "{\"a\":2}", 5, NULL));
  close_store (store);
  store = open_store ();
  g_autoptr (GPtrArray) rows = ssapp_store_list_studies (store, NULL);
  SS_CHECK (rows != NULL && rows->len == 2);
  SsappStudyRow *row = g_ptr_array_index (rows, 1);
  SS_CHECK_STR (row->id, a);
  SS_CHECK_STR (row->title, "First study");
  SS_CHECK_STR (row->definition, "{\"a\":2}");
  SS_CHECK (row->n_tasks == 5 && row->n_runs == 0 && strcmp (row->created, row->changed) <= 0);

  g_autofree char *prefix = g_strndup (a, 6);
  const char *const names[] = {a, prefix, "First study"};
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    SsappStudyRow *found = ssapp_store_get_study (store, names[i], &error);
    SS_CHECK (found != NULL && strcmp (found->id, a) == 0);
    ssapp_study_row_free (found);
  }
  SsappStudyRow *last = ssapp_store_get_study (store, "last", &error);
  SS_CHECK (last != NULL && strcmp (last->id, b) == 0);
  ssapp_study_row_free (last);
  SS_CHECK (ssapp_store_get_study (store, "Third", &error) == NULL);
  SS_CHECK_CONTAINS (error->message, "there are: Second, First study");
  g_clear_error (&error);

  SS_CHECK (ssapp_store_delete_study (store, b, NULL));
  SS_CHECK (ssapp_store_get_study (store, b, NULL) == NULL);
  SS_CHECK (ssapp_store_undelete_study (store, b, NULL));
  last = ssapp_store_get_study (store, b, NULL);
  SS_CHECK (last != NULL);
  ssapp_study_row_free (last);
  SS_CHECK (!ssapp_store_delete_study (store, "nothing", &error));
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND));
  close_store (store);
}

/* One run a task: only what did not end by itself gives way, and is then no run of the project any more. */
static void
one_run_a_task (void)
{
  static const char *const gives_way[] = {"interrupted", "cancelled"}, *const stays[] = {NULL, "solved", "time_limit",
                                                                                         "failed"};
  SsappStore *store = open_store ();
  g_autofree char *study = ssapp_store_add_study (store, "Tasks", "{}", 9, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (gives_way); i++) {
    g_autofree char *old = g_strdup_printf ("old-%u", i), *new = g_strdup_printf ("new-%u", i);
    add_run (store, old, gives_way[i]);
    add_run (store, new, "solved");
    SS_CHECK (ssapp_store_set_study_run (store, study, "key", "{\"mu\":1}", old, NULL));
    g_autoptr (GHashTable) none = ssapp_store_list_study_runs (store, study, NULL);
    SS_CHECK (g_hash_table_size (none) == 0);
    SS_CHECK (ssapp_store_set_study_run (store, study, "key", "{\"mu\":2}", new, NULL));
    g_autoptr (GHashTable) runs = ssapp_store_list_study_runs (store, study, NULL);
    SS_CHECK_STR (g_hash_table_lookup (runs, "key"), new);
    g_autofree char *sql = g_strdup_printf ("SELECT (deleted IS NOT NULL) FROM run WHERE id = '%s'", old);
    check_query (path, sql, "1");
    SS_CHECK (ssapp_store_delete_run (store, new, NULL));
    check_query (path, "SELECT task FROM study_run WHERE key = 'key'", "{\"mu\":2}");
  }
  for (guint i = 0; i < G_N_ELEMENTS (stays); i++) {
    g_autofree char *id = g_strdup_printf ("stay-%u", i), *other = g_strdup_printf ("other-%u", i);
    g_autofree char *key = g_strdup_printf ("key-%u", i);
    g_autoptr (GError) error = NULL;
    add_run (store, id, stays[i]);
    add_run (store, other, "solved");
    SS_CHECK (ssapp_store_set_study_run (store, study, key, NULL, id, NULL));
    SS_CHECK (ssapp_store_set_study_run (store, study, key, NULL, id, NULL)); /* the same once more */
    SS_CHECK (!ssapp_store_set_study_run (store, study, key, NULL, other, &error));
    SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_TAKEN));
    g_autoptr (GHashTable) runs = ssapp_store_list_study_runs (store, study, NULL);
    SS_CHECK_STR (g_hash_table_lookup (runs, key), id);
  }
  g_autoptr (GPtrArray) studies = ssapp_store_list_studies (store, NULL);
  const SsappStudyRow *newest = g_ptr_array_index (studies, 0);
  SS_CHECK_STR (newest->id, study);
  SS_CHECK (newest->n_runs == 3); /* all but the one that runs */
  SS_CHECK (ssapp_store_finish (store, "stay-0", "{\"outcome\":\"solved\"}", NULL, NULL));
  close_store (store);
  check_query (path, "PRAGMA integrity_check", "ok");
  check_query (path, "SELECT count(*) FROM pragma_foreign_key_check", "0");
}

static void
tags_are_kept (void)
{
  SsappStore *store = open_store ();
  g_autoptr (GError) error = NULL;

  add_run (store, "tagged", "solved");
  SS_CHECK (ssapp_store_set_tags (store, "tagged", " paper,,  Fig. 3 ,paper", NULL));
  SsappRunRow *row = ssapp_store_get_run (store, "tagged", NULL);
  SS_CHECK_STR (row->tags, "paper, Fig. 3");
  ssapp_run_row_free (row);
  SS_CHECK (ssapp_store_set_tags (store, "tagged", "", NULL));
  row = ssapp_store_get_run (store, "tagged", NULL);
  SS_CHECK_STR (row->tags, "");
  ssapp_run_row_free (row);
  SS_CHECK (!ssapp_store_set_tags (store, "nothing", "a", &error));
  SS_CHECK (g_error_matches (error, SSAPP_STORE_ERROR, SSAPP_STORE_ERROR_NOT_FOUND));
  close_store (store);
}

int
main (void)
{
  g_autofree char *folder = g_dir_make_tmp ("test-store-study-XXXXXX", NULL);

  path = g_build_filename (folder, "a.stickslip", NULL);
  SS_RUN (studies_are_kept);
  SS_RUN (one_run_a_task);
  SS_RUN (tags_are_kept);
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  return ss_test_finish ();
}
