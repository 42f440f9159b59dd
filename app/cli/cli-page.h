/* app/cli/cli-page.h: the part of `export` that writes pages; see cli-page.c. */
#pragma once

#include "app/cli/cli-args.h"

/* Writes the page of --to, whose name is one of a page. Returns the exit status. */
int cli_export_page (const CliArgs *args);
