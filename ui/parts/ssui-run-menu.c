/* ui/parts/ssui-run-menu.c: see the header. */
#include "ui/parts/ssui-run-menu.h"

#include "app/session/ssapp-effects.h"
#include "ui/parts/ssui-context-menu.h"

#include <string.h>

GMenuModel *
ssui_run_menu_of (SsappRun *run)
{
  const char *id = ssapp_run_is_running (run) ? NULL : ssapp_run_get_id (run);
  GMenu *menu;

  if (id == NULL)
    return NULL;
  menu = g_menu_new ();
  ssui_context_menu_add (menu, "", SSUI_MENU_RUN, g_variant_new_string (id));
  if (ssapp_effects_reason (run) == NULL)
    ssui_context_menu_add (menu, "", SSUI_MENU_MOVES, g_variant_new_string (id));
  return G_MENU_MODEL (menu);
}

GMenuModel *
ssui_run_menu_of_event (SsappRun *run, double t)
{
  GMenu *menu;

  if (ssapp_effects_reason (run) != NULL)
    return NULL;
  menu = g_menu_new ();
  ssui_context_menu_add (menu, "", SSUI_MENU_EVENT, g_variant_new ("(sd)", ssapp_run_get_id (run), t));
  return G_MENU_MODEL (menu);
}

GMenuModel *
ssui_run_menu_of_stored (const char *ids)
{
  const SsuiMenuGroup groups[] = {SSUI_MENU_SHOW_RUNS, SSUI_MENU_WORDS,
                                  strchr (ids, ',') == NULL ? SSUI_MENU_RUN : SSUI_MENU_RUNS};
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (groups) && *ids != '\0'; i++)
    ssui_context_menu_add (menu, NULL, groups[i], g_variant_new_string (ids));
  return G_MENU_MODEL (menu);
}

GMenuModel *
ssui_run_menu_of_list (const char *ids)
{
  GMenuModel *menu = ssui_run_menu_of_stored (ids);

  ssui_context_menu_add (G_MENU (menu), NULL, SSUI_MENU_CHOOSE, NULL);
  if (*ids != '\0')
    ssui_context_menu_add (G_MENU (menu), NULL, SSUI_MENU_DELETE_RUNS, g_variant_new_string (ids));
  return menu;
}
