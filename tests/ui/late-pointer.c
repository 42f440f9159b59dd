/* tests/ui/late-pointer.c: a library to preload (LD_PRELOAD) into a program of GTK on X: where it asks for the pointer
 * while the first button is pressed, it gets the answer only once that is up, and the file that LATE_POINTER names
 * tells that it asked. What a busy machine does once in a hundred clicks is so made sure. Used by test_clicks.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <X11/extensions/XInput2.h>

enum { POLLS = 6000, POLL_MICROSECONDS = 5000 }; /* half a minute: a test that died must not hold the program */

typedef Bool Query (Display *, int, Window, Window *, Window *, double *, double *, double *, double *, XIButtonState *,
                    XIModifierState *, XIGroupState *);

static int
is_down (const XIButtonState *buttons)
{
  return buttons->mask_len > 0 && XIMaskIsSet (buttons->mask, 1);
}

static void
tell (void)
{
  const char *path = getenv ("LATE_POINTER");
  FILE *file = path != NULL ? fopen (path, "w") : NULL;

  if (file != NULL)
    fclose (file);
}

Bool
XIQueryPointer (Display *display, int device, Window window, Window *root, Window *child, double *root_x,
                double *root_y, double *x, double *y, XIButtonState *buttons, XIModifierState *modifiers,
                XIGroupState *group)
{
  Query *query = (Query *)dlsym (RTLD_NEXT, "XIQueryPointer");
  Bool answer = query (display, device, window, root, child, root_x, root_y, x, y, buttons, modifiers, group);

  if (is_down (buttons))
    tell ();
  for (int i = 0; i < POLLS && is_down (buttons); i++) {
    usleep (POLL_MICROSECONDS);
    free (buttons->mask);
    answer = query (display, device, window, root, child, root_x, root_y, x, y, buttons, modifiers, group);
  }
  return answer;
}
