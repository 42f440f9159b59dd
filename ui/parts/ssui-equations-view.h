/* ui/parts/ssui-equations-view.h: the equations of the scenario and of a method, as text to select and to copy, as text
 * or as LaTeX. Tested by tests/ui/test_sketches.py. */
#pragma once

#include <adwaita.h>

#include "app/session/ssapp-session.h"

G_BEGIN_DECLS

#define SSUI_TYPE_EQUATIONS_VIEW (ssui_equations_view_get_type ())
G_DECLARE_FINAL_TYPE (SsuiEquationsView, ssui_equations_view, SSUI, EQUATIONS_VIEW, GtkWidget)

/* Follows its document, and the options that the session gives the method, while it is on the screen. */
void ssui_equations_view_set_session (SsuiEquationsView *self, SsappSession *session);
/* Shows what that method solves; FALSE: it is none for the scenario. */
gboolean ssui_equations_view_set_method (SsuiEquationsView *self, const char *name);
/* Puts all of it on the clipboard. */
void ssui_equations_view_copy (SsuiEquationsView *self, gboolean as_latex);

G_END_DECLS
