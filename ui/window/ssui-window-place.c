/* ui/window/ssui-window-place.c: the window's commands that place bodies exactly: rest-on, flush-with, separate,
 * move-exactly, cut-in-two, and which two a joint joins: choose-pair, join-pair. Tests: tests/ui/test_flush_block.py */
#include "ui/window/ssui-window-private.h"

#include <glib/gi18n.h>

typedef gboolean (*PlaceFunc) (SsappDocument *document, const char *body, const char *other, GError **error);

static void
place_selected (SsuiWindow *self, PlaceFunc place, const char *other)
{
  g_autofree char *body = g_strdup (ssapp_document_get_selected (ssui_window_get_document (self)));
  g_autoptr (GError) error = NULL;

  if (body == NULL) {
    ssui_window_toast (self, _ ("Select a body first"));
    return;
  }
  ssui_window_rewind_sketch (self);
  if (!place (ssui_window_get_document (self), body, other, &error))
    ssui_window_fail (self, _ ("Not moved"), error->message);
}

ACTION (on_rest_on)
{
  (void)action;
  place_selected (data, ssapp_document_rest_on, g_variant_get_string (parameter, NULL));
}

ACTION (on_flush_with)
{
  (void)action;
  place_selected (data, ssapp_document_flush_with, g_variant_get_string (parameter, NULL));
}

ACTION (on_separate)
{
  SsuiWindow *self = data;
  g_autoptr (GError) error = NULL;
  UNUSED_ACTION;
  ssui_window_rewind_sketch (self);
  if (!ssapp_document_separate (ssui_window_get_document (self), &error))
    ssui_window_fail (self, _ ("Not separated"), error->message);
}

ACTION (on_move_exactly)
{
  UNUSED_ACTION;
  ssui_canvas_move_exactly (ssui_window_get_canvas (data));
}

ACTION (on_choose_pair)
{
  UNUSED_ACTION;
  ssui_canvas_choose_pair (ssui_window_get_canvas (data));
}

ACTION (on_join_pair)
{
  SsuiWindow *self = data;
  const char *path, *a, *b;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s&s)", &path, &a, &b);
  ssui_window_rewind_sketch (self);
  if (!ssapp_document_choose_pair (ssui_window_get_document (self), path, a, b, &error))
    ssui_window_fail (self, _ ("Not joined"), error->message);
}

ACTION (on_cut_in_two)
{
  SsuiWindow *self = data;
  g_autofree char *told = NULL;
  g_autoptr (GError) error = NULL;
  (void)action;
  ssui_window_rewind_sketch (self);
  if (ssapp_document_cut_in_two (ssui_window_get_document (self),
                                 g_str_equal (g_variant_get_string (parameter, NULL), "upright"), &told, &error))
    ssui_window_toast (self, told);
  else
    ssui_window_fail (self, _ ("Not cut"), error->message);
}

static gboolean
has_body (SsuiWindow *self)
{
  return ssapp_document_get_selected (ssui_window_get_document (self)) != NULL;
}

static gboolean
has_joint (SsuiWindow *self)
{
  const char *item = ssapp_document_get_selected_item (ssui_window_get_document (self));

  return item != NULL && (g_str_has_prefix (item, "scene.joints[") || g_str_has_prefix (item, "scene.springs["));
}

static gboolean
has_overlaps (SsuiWindow *self)
{
  return ssapp_document_get_overlaps (ssui_window_get_document (self))->len > 0;
}

static const SsuiCommand commands[] = {
    {.name = "rest-on", .activate = on_rest_on, .parameter_type = "s" /* body, "" what is below */, .when = has_body},
    {.name = "rest-on", .target = "::", .label = N_ ("Rest on What Is Below"), .menus = SSUI_MENU_PLACE},
    {.name = "flush-with",
     .activate = on_flush_with,
     .parameter_type = "s" /* body, "" the nearest */,
     .when = has_body},
    {.name = "flush-with", .target = "::", .label = N_ ("Set Flush With the Nearest"), .menus = SSUI_MENU_PLACE},
    {.name = "separate", .activate = on_separate, .when = has_overlaps},
    {.name = "move-exactly",
     .activate = on_move_exactly,
     .when = ssui_window_has_selection,
     .label = N_ ("Move by Numbers"),
     .menus = SSUI_MENU_PLACE},
    {.name = "cut-in-two", .activate = on_cut_in_two, .parameter_type = "s" /* upright|level */, .when = has_body},
    {.name = "cut-in-two", .target = "::upright", .label = N_ ("Cut Upright in Two"), .menus = SSUI_MENU_PLACE},
    {.name = "cut-in-two", .target = "::level", .label = N_ ("Cut Level in Two"), .menus = SSUI_MENU_PLACE},
    {.name = "choose-pair",
     .activate = on_choose_pair,
     .when = has_joint,
     .label = N_ ("Choose What It Joins"),
     .menus = SSUI_MENU_JOINT},
    {.name = "join-pair", .activate = on_join_pair, .parameter_type = "(sss)" /* path, body or world, body */},
};

const SsuiSubject ssui_place_commands = {commands, G_N_ELEMENTS (commands), NULL, NULL};
