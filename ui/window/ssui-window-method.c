/* ui/window/ssui-window-method.c: a method of the user's own that lies beside a scenario is shown before the scenario
 * is opened, one that a project keeps after it was opened; it runs once it was allowed. Only where the user opens a
 * file: no merge, import or thumbnail asks.
 * Tests: tests/ui/test_own_method.py */
#include "ui/window/ssui-window-private.h"

#include "app/base/ssapp-text.h"
#include "app/job/ssapp-own-kept.h"
#include "app/store/ssapp-store-method.h"

#include <glib/gi18n.h>
#include <string.h>

#define WIDTH 460 /* [px] */

/* What the dialog asks about, and what goes on afterwards. */
typedef struct {
  char *file, *version, *path;
  char *text; /* that the project keeps; NULL: the method lies beside a scenario */
  SsuiWindowThen then;
} Asked;

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  g_free (asked->file);
  g_free (asked->version);
  g_free (asked->path);
  g_free (asked->text);
  g_free (asked);
}

/* Hashes that this program does not ask for again until it ends. */
static gboolean
is_put_off (const char *version, gboolean put_off)
{
  GObject *application = G_OBJECT (g_application_get_default ());

  if (put_off)
    g_object_set_data (application, version, GINT_TO_POINTER (TRUE));
  return g_object_get_data (application, version) != NULL;
}

static const SsappOwn *
allow (const Asked *asked, GError **error)
{
  return asked->text != NULL ? ssapp_own_allow_kept (asked->text, asked->path, error)
                             : ssapp_own_allow_as (asked->file, asked->version, NULL, error);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, SsuiWindow *self)
{
  const Asked *asked = g_object_get_data (G_OBJECT (dialog), "asked");
  g_autofree char *path = g_strdup (asked->path);
  g_autoptr (GError) error = NULL;
  const SsappOwn *own = strcmp (response, "allow") == 0 ? allow (asked, &error) : NULL;

  if (own == NULL)
    is_put_off (asked->version, TRUE);
  if (error != NULL)
    ssui_window_fail (self, _ ("The method cannot be allowed"), error->message);
  asked->then (self, path);
  if (own != NULL && ssapp_own_find (&own->method) == NULL)
    ssui_window_toast (self, _ ("The method runs from the next start on"));
}

static GtkWidget *
make_facts (const SsappOwn *own)
{
  g_autofree char *words = g_strjoinv (" ", own->command), *program_version = ssapp_own_program_version (own);
  g_autofree char *facts =
      g_strdup_printf (own->unhashed != NULL ? _ ("Command: %s\nProgram: %s\n%s\nFile and its command’s files: %s, "
                                                  "which may change without being asked again")
                                             : _ ("Command: %s\nProgram: %s\n%s\nFile and its command’s files: %s"),
                       words, own->program != NULL ? own->program : _ ("not found"),
                       program_version != NULL ? program_version : "", own->version);
  g_autofree char *visible = ssapp_text_visible (facts, TRUE);
  GtkWidget *label = gtk_label_new (visible);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_size_request (label, WIDTH, -1);
  return label;
}

static void
ask (SsuiWindow *self, const SsappOwn *own, const char *path, const char *text, SsuiWindowThen then)
{
  Asked *asked = g_new (Asked, 1);
  g_autofree char *name = g_path_get_basename (own->file);
  g_autofree char *heading = g_strdup_printf (_ ("Allow “%s” to Run?"), own->method.label);
  g_autofree char *body =
      g_strdup_printf (_ ("“%s” %s: a program that takes part as a method. It reads and writes what "
                          "you may. When one of its files changes you are asked again."),
                       name, text != NULL ? _ ("is kept in this project") : _ ("lies beside this scenario"));
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, body);

  *asked = (Asked){g_strdup (own->file), g_strdup (own->version), g_strdup (path), g_strdup (text), then};
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), make_facts (own));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "later", _ ("_Not Now"), "allow", _ ("_Allow"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "later");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "later");
  g_object_set_data_full (G_OBJECT (dialog), "asked", asked, asked_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

gboolean
ssui_window_ask_methods (SsuiWindow *self, const char *path, SsuiWindowThen then)
{
  g_autoptr (GPtrArray) found = ssapp_own_list_beside (path);

  for (guint i = 0; i < found->len; i++) {
    const SsappOwn *own = g_ptr_array_index (found, i);
    if (is_put_off (own->version, FALSE))
      continue;
    ask (self, own, path, NULL, then);
    return TRUE;
  }
  return FALSE;
}

void
ssui_window_ask_kept_methods (SsuiWindow *self, const char *path)
{
  SsappStore *store = ssapp_session_get_store (self->session);
  g_autoptr (GPtrArray) texts = store != NULL ? ssapp_store_list_methods (store, NULL) : NULL;

  for (guint i = 0; texts != NULL && i < texts->len; i++) {
    const char *text = g_ptr_array_index (texts, i);
    const SsappOwn *own = ssapp_own_read_kept (text, NULL);
    if (own == NULL || ssapp_own_is_known (own) || is_put_off (own->version, FALSE))
      continue;
    ask (self, own, path, text, ssui_window_ask_kept_methods);
    return;
  }
}

/* ---- keeping ----------------------------------------------------------------------------------------------------- */

/* The method of that name, one of the user's own, goes into the project. */
ACTION (on_keep_method)
{
  SsuiWindow *self = data;
  SsappStore *store = ssapp_session_get_store (self->session);
  const char *name = g_variant_get_string (parameter, NULL);
  const SsappOwn *own = ssapp_own_find_by_name (name);
  g_autoptr (GError) error = NULL;
  (void)action;

  if (own == NULL || store == NULL)
    return;
  g_autofree char *text = ssapp_own_keep (own, &error);
  if (text == NULL || !ssapp_store_keep_method (store, text, &error)) {
    ssui_window_fail (self, _ ("The method cannot be kept"), error->message);
    return;
  }
  g_autofree char *words = g_strdup_printf (_ ("“%s” is kept in the project, with its files"), own->method.label);
  ssui_window_toast (self, words);
}

static const SsuiCommand commands[] = {
    {.name = "keep-method", .activate = on_keep_method, .parameter_type = "s" /* name */},
};

const SsuiSubject ssui_method_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
