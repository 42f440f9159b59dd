/* app/base/ssapp-capture.h: what libraries print on standard output and error becomes lines in the log.
 *
 * Between start and stop, descriptors 1 and 2 lead into pipes that the main loop reads; the program's own output goes
 * to the saved descriptors. If the process dies by a signal of its own making, what is still in the pipes is passed on
 * to the old standard error first, and half a second is left to hand out what was read, so that an assertion's text is
 * not lost. One capture at a time; main thread.
 */
#pragma once

#include <glib.h>

#include "core/ss-core.h"

G_BEGIN_DECLS

typedef struct SsappCapture SsappCapture;
typedef void (*SsappCaptureFunc) (SsLogLevel level, const char *line, gpointer user_data);

/* NULL when the pipes cannot be made; then nothing is captured. */
SsappCapture *ssapp_capture_start (SsappCaptureFunc func, gpointer user_data);
int ssapp_capture_output_fd (SsappCapture *capture); /* where standard output led before; 1 when `capture` is NULL */
int ssapp_capture_error_fd (SsappCapture *capture);  /* where standard error led before; 2 when `capture` is NULL  */
void ssapp_capture_drain (SsappCapture *capture);    /* hands out what is there, without waiting                   */
void ssapp_capture_stop (SsappCapture *capture);     /* drains, puts the descriptors back, frees                   */

G_END_DECLS
