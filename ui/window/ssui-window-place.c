/* ui/window/ssui-window-place.c: the window's commands that place bodies exactly: rest-on, flush-with, separate,
 * move-exactly, and which two a joint joins: choose-pair, join-pair. Tests: tests/ui/test_flush_block.py */
#include "ui/window/ssui-window-private.h"

static SsappDocument *
document_of (SsuiWindow *self)
{
  return ssapp_session_get_document (self->session);
}

static void
enable (SsuiWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

/* Editing shows the sketch, not a moment of an old motion. */
static void
rewind_sketch (SsuiWindow *self)
{
  SsuiClock *clock = ssui_sketch_page_get_clock (self->sketch_page);

  ssui_clock_set_playing (clock, FALSE);
  ssui_clock_seek (clock, 0);
}

typedef gboolean (*PlaceFunc) (SsappDocument *document, const char *body, const char *other, GError **error);

static void
place_selected (SsuiWindow *self, PlaceFunc place, const char *other)
{
  g_autofree char *body = g_strdup (ssapp_document_get_selected (document_of (self)));
  g_autoptr (GError) error = NULL;

  if (body == NULL) {
    ssui_window_toast (self, "Select a body first");
    return;
  }
  rewind_sketch (self);
  if (!place (document_of (self), body, other, &error))
    ssui_window_fail (self, "Not moved", error->message);
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
  rewind_sketch (self);
  if (!ssapp_document_separate (document_of (self), &error))
    ssui_window_fail (self, "Not separated", error->message);
}

ACTION (on_move_exactly)
{
  UNUSED_ACTION;
  ssui_sketch_page_move_exactly (((SsuiWindow *)data)->sketch_page);
}

ACTION (on_choose_pair)
{
  UNUSED_ACTION;
  ssui_sketch_page_choose_pair (((SsuiWindow *)data)->sketch_page);
}

ACTION (on_join_pair)
{
  SsuiWindow *self = data;
  const char *path, *a, *b;
  g_autoptr (GError) error = NULL;
  (void)action;
  g_variant_get (parameter, "(&s&s&s)", &path, &a, &b);
  rewind_sketch (self);
  if (!ssapp_document_choose_pair (document_of (self), path, a, b, &error))
    ssui_window_fail (self, "Not joined", error->message);
}

static const GActionEntry entries[] = {
    {.name = "rest-on", .activate = on_rest_on, .parameter_type = "s"},
    {.name = "flush-with", .activate = on_flush_with, .parameter_type = "s"},
    {.name = "separate", .activate = on_separate},
    {.name = "move-exactly", .activate = on_move_exactly},
    {.name = "choose-pair", .activate = on_choose_pair},
    {.name = "join-pair", .activate = on_join_pair, .parameter_type = "(sss)"},
};

void
ssui_window_add_place_actions (SsuiWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
ssui_window_update_place_actions (SsuiWindow *self)
{
  SsappDocument *document = document_of (self);
  const gboolean has_body = ssapp_document_get_selected (document) != NULL;
  const char *item = ssapp_document_get_selected_item (document);
  const gboolean has_joint =
      item != NULL && (g_str_has_prefix (item, "scene.joints[") || g_str_has_prefix (item, "scene.springs["));

  enable (self, "rest-on", has_body);
  enable (self, "flush-with", has_body);
  enable (self, "move-exactly", has_body || ssapp_document_get_selected_item (document) != NULL);
  enable (self, "choose-pair", has_joint);
  enable (self, "separate", ssapp_document_get_overlaps (document)->len > 0);
}
