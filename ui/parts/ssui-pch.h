/* ui/parts/ssui-pch.h: libraries' headers that nearly every file of ui/ reads, three quarters of the time that it
 * takes to compile one: compiled once where the option pch is on. Never included by name (see app/base/ssapp-pch.h). */
#include <adwaita.h>
#include <gtksourceview/gtksource.h>
#include <math.h>
#include <string.h>
