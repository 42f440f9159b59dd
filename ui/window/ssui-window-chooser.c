/* ui/window/ssui-window-chooser.c: asks for a file. */
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Ids of the things more to choose; how many there are is kept with the dialog. */
static const char *const questions[] = {"question-1", "question-2", "question-3"};
#define N_QUESTIONS "questions"

/* Answers with colons between them; g_free. */
static char *
dup_answers (GtkFileChooser *chooser)
{
  g_autoptr (GPtrArray) answers = g_ptr_array_new ();

  for (guint i = 0; i < GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (chooser), N_QUESTIONS)); i++)
    g_ptr_array_add (answers, (gpointer)gtk_file_chooser_get_choice (chooser, questions[i]));
  g_ptr_array_add (answers, NULL);
  return answers->len > 1 ? g_strjoinv (":", (char **)answers->pdata) : NULL;
}

/* The usual answer stands first: GTK 4.8 shows the first, whatever is set. */
static void
ask (GtkFileChooser *chooser, const char *id, const SsuiQuestion *question)
{
  g_autoptr (GPtrArray) answers = g_ptr_array_new (), labels = g_ptr_array_new ();

  for (int i = 0; question->labels[i] != NULL; i++) {
    const int at = strcmp (question->answers[i], question->usual) == 0 ? 0 : -1;
    g_ptr_array_insert (answers, at, (gpointer)question->answers[i]);
    g_ptr_array_insert (labels, at, (gpointer)_ (question->labels[i]));
  }
  g_ptr_array_add (answers, NULL);
  g_ptr_array_add (labels, NULL);
  gtk_file_chooser_add_choice (chooser, id, question->title, (const char **)answers->pdata,
                               (const char **)labels->pdata);
  gtk_file_chooser_set_choice (chooser, id, question->usual);
}

static void
on_chooser_response (GtkNativeDialog *dialog, int response, SsuiWindow *self)
{
  SsuiWindowThen then = self->chooser_then;
  g_autoptr (GFile) file =
      response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

  g_free (self->answer);
  self->answer = dup_answers (GTK_FILE_CHOOSER (dialog));
  g_clear_object (&self->chooser);
  if (path != NULL && then != NULL)
    then (self, path);
  else if (file != NULL)
    ssui_window_toast (self, _ ("Only local files can be used"));
  g_clear_pointer (&self->answer, g_free);
}

void
ssui_window_choose_file (SsuiWindow *self, const char *title, GtkFileChooserAction action, const char *accept,
                         const char *name, const char *const *patterns, const SsuiQuestion *question,
                         SsuiWindowThen then)
{
  GtkFileFilter *filter = gtk_file_filter_new (), *all = gtk_file_filter_new ();
  g_autofree char *shown = g_strjoinv (", ", (char **)patterns);

  g_clear_object (&self->chooser);
  self->chooser = gtk_file_chooser_native_new (title, GTK_WINDOW (self), action, accept, _ ("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  if (name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  gtk_file_filter_set_name (filter, shown);
  for (int i = 0; patterns[i] != NULL; i++)
    gtk_file_filter_add_pattern (filter, patterns[i]);
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), filter);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), all);
  g_object_unref (filter);
  g_object_unref (all);
  guint n = 0;
  for (; question != NULL && n < G_N_ELEMENTS (questions); question = question->next)
    ask (GTK_FILE_CHOOSER (self->chooser), questions[n++], question);
  g_object_set_data (G_OBJECT (self->chooser), N_QUESTIONS, GUINT_TO_POINTER (n));
  self->chooser_then = then;
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_chooser_response), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}
