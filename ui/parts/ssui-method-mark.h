/* ui/parts/ssui-method-mark.h: the line and marker of a method, as in the plots; beside its name wherever it is
 * named. */
#pragma once

#include <adwaita.h>

#include "run/ss-method.h"

G_BEGIN_DECLS

#define SSUI_TYPE_METHOD_MARK (ssui_method_mark_get_type ())
G_DECLARE_FINAL_TYPE (SsuiMethodMark, ssui_method_mark, SSUI, METHOD_MARK, GtkWidget)

/* The name is copied; without one the mark is empty. */
GtkWidget *ssui_method_mark_new (SsMethodId method);
void ssui_method_mark_set_method (SsuiMethodMark *self, SsMethodId method);
/* Another look than the method's own, where several of one method stand side by side; -1: its own. */
void ssui_method_mark_set_look (SsuiMethodMark *self, SsMethodId method, int look);

G_END_DECLS
