/* app/export/ssapp-page-live.c: what a page has besides where it computes itself: the engine as WebAssembly and the job
 * that made the run, with what the same engine finds on this machine (app/live/live.c). */
#include "app/export/ssapp-page-private.h"

#include "app/base/ssapp-json.h"
#include "app/base/ssapp-place.h"
#include "app/draw/ssapp-draw-parts.h"
#include "scene/ss-number.h"
#include "scene/ss-sha256.h"

#include <string.h>

/* Members of what was asked of a run that no page can do again, and what such a run is. */
static const char *const OTHER_RUNS[][2] = {{"motion", "a replay"}, {"by_hand", "a sandbox's"}};

static gboolean fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (GError **error, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  *error = g_error_new_valist (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, format, list);
  va_end (list);
  return FALSE;
}

/* The job of live.c that makes the run again; NULL with an error. */
static json_t *
job_of (const SsappPage *page, GError **error)
{
  json_t *asked = page->asked_json != NULL ? json_loads (page->asked_json, 0, NULL) : NULL;
  json_t *options = page->options_json != NULL ? json_loads (page->options_json, 0, NULL) : NULL, *job = NULL;
  SsError err = {0};
  char *text = NULL;

  const char *verb = ssapp_json_get_string (asked, "verb");
  for (guint i = 0; i < G_N_ELEMENTS (OTHER_RUNS); i++)
    if (json_object_get (asked, OTHER_RUNS[i][0]) != NULL) {
      fail (error, "a page computes simulations of a scene from its start; this run is %s",
            i == 0 && g_strcmp0 (verb, "simulate") == 0 ? "one that goes on from another" : OTHER_RUNS[i][1]);
      goto end;
    }
  if (page->scenario->scene == NULL || page->run->method.kind != SS_METHOD_INTEGRATOR) {
    fail (error, page->run->method.kind == SS_METHOD_OPTIMISER
                     ? "a page computes simulations; this run is a plan, and pages have no optimisers: without --live "
                       "the page plays it"
                     : "a page computes simulations; this run is none");
    goto end;
  }
  if (ss_scenario_with_numbers (page->scenario, NULL, 0, &text, &err) != SS_OK) {
    fail (error, "%s", err.message);
    goto end;
  }
  job = json_pack ("{s:s, s:s, s:o}", "scenario", text, "method", page->run->method.name, "options",
                   options != NULL ? json_incref (options) : json_object ());
  for (const char *const *name = (const char *const[]){"dt", "t_end", "outcomes", NULL}; *name != NULL; name++)
    if (json_is_number (json_object_get (asked, *name)) || json_is_object (json_object_get (asked, *name)))
      json_object_set (job, *name, json_object_get (asked, *name));

end:
  ss_free (text);
  json_decref (asked);
  json_decref (options);
  return job;
}

/* Lines of the program's answer as JSON; NULL with an error. */
static json_t *
read_answers (const char *out, gsize n, const char *program, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (out != NULL ? out : "", "\n", -1);
  json_t *list = json_array ();

  for (gsize i = 0; i < n; i++) {
    json_t *told = i < g_strv_length (lines) ? json_loads (lines[i], 0, NULL) : NULL;
    if (told == NULL) {
      fail (error, "“%s” gave no answer", program);
      json_decref (list);
      return NULL;
    }
    json_array_append_new (list, told);
  }
  return list;
}

json_t *
ssapp_page_live_run (const json_t *jobs, GCancellable *cancellable, GError **error)
{
  g_autofree char *folder = ssapp_place_of_live (), *out = NULL;
  g_autofree char *program = folder != NULL ? g_build_filename (folder, "stickslip-live", NULL) : NULL;
  g_autoptr (GString) lines = g_string_new (NULL);

  if (folder == NULL) {
    fail (error, "%s", ssapp_page_live_lack ());
    return NULL;
  }
  for (gsize i = 0; i < json_array_size (jobs); i++) {
    char *text = json_dumps (json_array_get (jobs, i), SSAPP_JSON_FLAGS);
    g_string_append_printf (lines, "%s\n", text);
    free (text);
  }
  g_autoptr (GSubprocess) child =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, error, program, NULL);
  if (child == NULL || !g_subprocess_communicate_utf8 (child, lines->str, cancellable, &out, NULL, error))
    return NULL;
  return read_answers (out, json_array_size (jobs), program, error);
}

/* What the engine with the page's mathematical library finds of the job on this machine; NULL with an error. */
static json_t *
run_beside (json_t *job, GCancellable *cancellable, GError **error)
{
  json_t *jobs = json_pack ("[O]", job), *list = ssapp_page_live_run (jobs, cancellable, error);
  json_t *told = json_incref (json_array_get (list, 0));
  const json_t *problem = json_array_get (json_object_get (told, "problems"), 0);

  if (problem != NULL) {
    fail (error, "a page cannot compute this run: %s", json_string_value (problem));
    json_decref (told);
    told = NULL;
  }
  json_decref (jobs);
  json_decref (list);
  return told;
}

/* In which layer a mark of each kind and role is drawn. */
static json_t *
layers_to_json (void)
{
  json_t *layers = json_object ();

  for (int kind = 0; kind <= SS_MARK_NOTE; kind++)
    for (int role = 0; role <= SS_ROLE_GUIDE; role++) {
      const SsMark mark = {.kind = (SsMarkKind)kind, .role = (SsMarkRole)role, .name = "", .color = ""};
      g_autofree char *name = g_strconcat (ss_mark_kind_name (mark.kind), " ", ss_mark_role_name (mark.role), NULL);
      json_object_set_new (layers, name, json_integer (ssapp_mark_layer (&mark)));
    }
  return layers;
}

const char *
ssapp_page_live_lack (void)
{
  g_autofree char *folder = ssapp_place_of_live ();

  return folder == NULL
             ? "the engine for pages that compute was not built: run app/live/build.sh, which installs clang, "
               "lld, wasi-libc, libclang-rt-14-dev-wasm32 and musl-tools and makes it"
             : NULL;
}

/* The study's runs, deflated behind the channels: {"at", "length"}; NULL with an error. */
static json_t *
add_study (const char *study, GByteArray *data, GError **error)
{
  g_autoptr (GByteArray) small = ssapp_deflate ((const guint8 *)study, strlen (study), error);

  if (small == NULL)
    return NULL;
  json_t *told = json_pack ("{s:i, s:i}", "at", (int)data->len, "length", (int)small->len);
  g_byte_array_append (data, small->data, small->len);
  return told;
}

gboolean
ssapp_page_live_add (const SsappPage *page, json_t *meta, GByteArray *data, char **engine, GError **error)
{
  g_autofree char *folder = ssapp_place_of_live (), *path = NULL, *wasm = NULL;
  gsize size;

  if (folder == NULL)
    return fail (error, "%s", ssapp_page_live_lack ());
  path = g_build_filename (folder, "live.wasm", NULL);
  if (!g_file_get_contents (path, &wasm, &size, error))
    return FALSE;
  g_autoptr (GByteArray) small = ssapp_deflate ((const guint8 *)wasm, size, error);
  if (small == NULL)
    return FALSE;
  json_t *job = job_of (page, error), *study = NULL;
  json_t *told = job != NULL ? run_beside (job, page->cancellable, error) : NULL;
  gboolean ok = told != NULL;
  if (ok && page->study_json != NULL)
    ok = (study = add_study (page->study_json, data, error)) != NULL;
  if (ok) {
    char stored[65];
    ss_trajectory_sha256 (page->run->trajectory, stored);
    json_object_set_new (meta, "live",
                         json_pack ("{s:O, s:O, s:s, s:o, s:o*}", "job", job, "sha256",
                                    json_object_get (told, "sha256"), "stored", stored, "layers", layers_to_json (),
                                    "study", study));
    *engine = g_base64_encode (small->data, small->len);
  }
  json_decref (job);
  json_decref (told);
  return ok;
}
