/* app/bench/ssapp-bench-contacts-built-in.c: the problems of data/bench/steps, which are built into the command line's
 * program; see ssapp-bench-contacts.h. */
#include "app/bench/ssapp-bench-contacts.h"

#include "app/base/ssapp-text.h"
#include "app/steps/ssapp-step-file.h"

#define FOLDER "/org/stickslip/Stickslip/steps"

GPtrArray *
ssapp_bench_contacts_names (const char *const *begins, GError **error)
{
  g_auto (GStrv) all = g_resources_enumerate_children (FOLDER, G_RESOURCE_LOOKUP_FLAGS_NONE, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (all == NULL)
    return NULL;
  for (int b = 0; begins != NULL && begins[b] != NULL; b++) {
    gboolean is_any = FALSE;
    for (int i = 0; all[i] != NULL; i++)
      is_any = is_any || g_str_has_prefix (all[i], begins[b]);
    if (!is_any) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   "suite contact-solvers has no problem that begins with '%s'; --data FOLDER writes them all",
                   begins[b]);
      return NULL;
    }
  }
  for (int i = 0; all[i] != NULL; i++) {
    gboolean is_taken = begins == NULL;
    for (int b = 0; !is_taken && begins[b] != NULL; b++)
      is_taken = g_str_has_prefix (all[i], begins[b]);
    if (is_taken)
      g_ptr_array_add (names, g_strdup (all[i]));
  }
  g_ptr_array_sort (names, ssapp_text_compare);
  return g_steal_pointer (&names);
}

GBytes *
ssapp_bench_contacts_text (const char *name)
{
  g_autofree char *path = g_strconcat (FOLDER "/", name, NULL);

  return g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
}

gboolean
ssapp_bench_contacts_run (SsappBenchContacts *self, const GPtrArray *names, SsRunControl *control, SsappBenchSay say,
                          GError **error)
{
  g_return_val_if_fail (self != NULL && names != NULL, FALSE);

  for (guint i = 0; i < names->len && !ssapp_bench_is_cancelled (control); i++) {
    const char *name = g_ptr_array_index (names, i);
    g_autoptr (GBytes) text = ssapp_bench_contacts_text (name);
    gsize length;
    const char *data = g_bytes_get_data (text, &length);
    g_autofree char *own = g_strndup (data, length);
    SsStepProblem *problem = ssapp_step_read_json (name, own, error);
    const gboolean ok = problem != NULL && ssapp_bench_contacts_add (self, name, problem, control, error);
    ss_step_problem_free (problem);
    if (!ok)
      return FALSE;
    ssapp_bench_say (say, "%u/%u  %s", i + 1, names->len, name);
  }
  return TRUE;
}
