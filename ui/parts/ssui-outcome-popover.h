/* ui/parts/ssui-outcome-popover.h: what runs are asked, of a study or of a comparison: a name and a formula, checked
 * while they are typed, with formulas to begin with. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define SSUI_TYPE_OUTCOME_POPOVER (ssui_outcome_popover_get_type ())
G_DECLARE_FINAL_TYPE (SsuiOutcomePopover, ssui_outcome_popover, SSUI, OUTCOME_POPOVER, GtkPopover)

/* Who keeps outcomes; `owner` is it. `name`: the outcome that is changed, NULL: a new one. */
typedef struct {
  const char *title, *new_title;                           /* above the name */
  char *(*dup_formula) (GObject *owner, const char *name); /* NULL: not known; g_free */
  GPtrArray *(*list_ideas) (GObject *owner);               /* of SsappOutcomeIdea; g_ptr_array_unref */
  /* "NAME=FORMULA" in words, or NULL with an error; g_free. */
  char *(*try_outcome) (GObject *owner, const char *name, const char *text, GError **error);
  const char *set_action, *remove_action; /* of the window, with (ss): name or "", text; with s: name */
} SsuiOutcomeOwner;

/* `functions` is static. Shows what there is whenever it opens. */
GtkWidget *ssui_outcome_popover_new (GObject *owner, const SsuiOutcomeOwner *functions, const char *name);

G_END_DECLS
