/* app/base/ssapp-pch.h: libraries' headers that nearly every file of app/ reads, compiled once where the option pch
 * is on. Never included by name: each file still says what it needs, which builds without it check. */
#include <cairo.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
