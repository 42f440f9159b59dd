/* app/base/ssapp-method-list.h: methods with options as text, "crisp,ipopt:relax=10:start=file": the one grammar of all
 * verbs and of the window. Who reads a list looks the names up and checks the options, as not every method suits
 * everybody.
 * Threads: any. Tests: tests/unit/test-method-list.c */
#pragma once

#include <glib.h>

#include "run/ss-method.h"

G_BEGIN_DECLS

/* NAME[:OPTION=VALUE]..., blanks around each part left out. */
typedef struct {
  char *text;                /* all of it                                              */
  char *name;                /* "" where there is none                                 */
  GPtrArray *names, *values; /* of char *, then NULL: the options before what is none  */
  char *wrong;               /* the first part that is not OPTION=VALUE; NULL: all are */
} SsappMethodAsked;

/* Free with ssapp_method_asked_free. */
SsappMethodAsked *ssapp_method_asked_new (const char *text);
/* NULL is allowed. */
void ssapp_method_asked_free (SsappMethodAsked *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappMethodAsked, ssapp_method_asked_free)

/* Those between the commas, of SsappMethodAsked; elements are freed with the array. "": none. */
GPtrArray *ssapp_method_list_read (const char *list);
/* Number `index` of it, which there is; borrowed. */
const SsappMethodAsked *ssapp_method_list_at (const GPtrArray *list, guint index);
/* All of a kind that this build has, as such a list; g_free. */
char *ssapp_method_list_all (SsMethodKind kind);

G_END_DECLS
