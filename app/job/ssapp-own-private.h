/* app/job/ssapp-own-private.h: how files of methods are read, for app/job alone. Threads: those of ssapp-own.h.
 * Tests: tests/cli/test-your-method.py */
#pragma once

#include "app/job/ssapp-own-files.h"
#include "app/job/ssapp-own.h"

/* The method of the file `name` among these; it joins no registry. NULL with an error. What it owns is never freed
 * where it joined the registry; of a file that is wrong little is lost. */
SsappOwn *ssapp_own_read (const SsappOwnFiles *files, const char *name, GError **error);
/* stickslip/methods of the user's data folder; g_free. */
char *ssapp_own_data_folder (void);
