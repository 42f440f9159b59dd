/* app/main-desktop.c: the desktop program. The only file outside ui/ that may include it. */
#include "app/job/ssapp-own.h"
#include "ui/window/ssui-application.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>

int
main (int argc, char **argv)
{
  g_autoptr (SsuiApplication) application = NULL;

  setlocale (LC_ALL, "");
  signal (SIGPIPE, SIG_IGN); /* a program that no longer reads is told by what writes to it */
  bindtextdomain (SS_TEXT_DOMAIN, SS_LOCALE_DIR);
  bind_textdomain_codeset (SS_TEXT_DOMAIN, "UTF-8");
  textdomain (SS_TEXT_DOMAIN);
  ssapp_own_read_all ();
  application = ssui_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
