/* app/session/ssapp-entrants.h: copies of methods, each with options of its own: "CRISP 2" runs against CRISP. A copy
 * is a SsMethod with its method's name, classes and options, but a label and a look of its own; who tells methods apart
 * by their pointers tells copies apart too. What was taken out stays in memory and is taken again for the next one.
 * Threads: main thread only. Tests: tests/unit/test-entrants.c
 */
#pragma once

#include <glib.h>

#include "run/ss-method.h"

G_BEGIN_DECLS

typedef struct SsappEntrants SsappEntrants;

SsappEntrants *ssapp_entrants_new (void); /* without any */
/* With all copies; NULL is allowed. */
void ssapp_entrants_free (SsappEntrants *self);

/* One more of the method (or of the method of a copy), with the least number from 2 that is free. Borrowed as long as
 * the entrants live. */
const SsMethod *ssapp_entrants_add (SsappEntrants *self, const SsMethod *method);
/* Takes a copy out; a method that is none stays. */
void ssapp_entrants_remove (SsappEntrants *self, const SsMethod *copy);
void ssapp_entrants_clear (SsappEntrants *self); /* all copies */
/* 1 of a method of the registry, from 2 of a copy, also of one that was taken out. */
guint ssapp_entrants_number (SsappEntrants *self, const SsMethod *method);
/* The copy of that number that is in; 1: the method itself; NULL: there is none. */
const SsMethod *ssapp_entrants_find (SsappEntrants *self, const SsMethod *method, guint number);
/* The method of the registry of which it is a copy, or itself. */
const SsMethod *ssapp_entrants_base (SsappEntrants *self, const SsMethod *method);
/* Puts the copies that are in behind their methods in a list of const SsMethod. */
void ssapp_entrants_list (SsappEntrants *self, GPtrArray *methods);
/* With its look: that of a copy has the colour of its method, and another marker and dash. */
SsMethodId ssapp_entrants_id (SsappEntrants *self, const SsMethod *method);

/* Splits "crisp#2" into its name (g_free) and number; 1 without "#". FALSE: what follows "#" is no number from 1. */
gboolean ssapp_entrants_parse (const char *text, char **name, guint *number);

G_END_DECLS
