/* app/base/ssapp-text.h: texts of unknown origin (names, notes, messages of a project that somebody else made) on their
 * way to a terminal. Threads: any. Tests: tests/cli/test-foreign.sh
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The text with everything that could steer a terminal written out: \n, \t, \x1b, \u202e. That are control characters,
 * those that turn the direction of writing, and separators of lines; bytes that are no UTF-8 become U+FFFD.
 * `keeps_lines`: newlines stay as they are. NULL is "". g_free. */
char *ssapp_text_visible (const char *text, gboolean keeps_lines);

/* The same for a JSON text, where such characters can only stand inside strings: as escapes, so that it says the same.
 * g_free. */
char *ssapp_text_visible_json (const char *json);

/* Orders texts by their bytes, in an array of char *: for g_ptr_array_sort and qsort. */
int ssapp_text_compare (gconstpointer a, gconstpointer b);

/* A number for a text whose last digit has this size: 0 for what would be written as "-0". Tests:
 * tests/unit/test-overlays.c */
double ssapp_text_zero (double value, double last_digit);

/* The number by a format of printf with one conversion of a double, in the C locale; what reads as zero has no minus:
 * never "-0" or "-0.00". g_free. Tests: tests/unit/test-overlays.c */
char *ssapp_text_number (const char *format, double value);

/* With as few significant digits, from `least` to 17, as are read as the same number. g_free.
 * Tests: tests/unit/test-overlays.c */
char *ssapp_text_number_exact (double value, int least);

/* A number as text, "-3.713906e-10", in at most so many characters if any digits can: rounded, "-3.7e-10", never cut.
 * Text that is no number, or fits, stays as it is. g_free. Tests: tests/unit/test-overlays.c */
char *ssapp_text_number_within (const char *text, guint most);

/* The number moved by so many steps of its second digit: 0.3 by 0.01, 9.81 by 0.1, 0 by 0.01; `is_round`: to whole tens
 * of steps, 9.81 to 10. At most 12 digits. NULL: text is no finite number. g_free. Tests: tests/unit/test-overlays.c */
char *ssapp_text_number_moved (const char *text, double n_steps, gboolean is_round);

/* The value as a whole number of steps, but within both ends; at most 12 digits. g_free. Tests: the same. */
char *ssapp_text_number_on (double value, double low, double high, double step);

/* Sets a G_IO_ERROR_INVALID_DATA; FALSE, for the caller to return. */
gboolean ssapp_fail_input (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
