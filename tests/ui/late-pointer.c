/* tests/ui/late-pointer.c: a library to preload (LD_PRELOAD) into a program of GTK on X. The frame after a press of the
 * first button asks for the pointer, as after a change of the layout, and gets the answer only once the button is up;
 * the file that LATE_POINTER names tells that it asked. What a busy machine does once in a hundred clicks is so made
 * sure. Used by test_clicks.py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <X11/extensions/XInput2.h>

enum { POLLS = 6000, POLL_MICROSECONDS = 5000 }; /* half a minute: a test that died must not hold the program */
enum { AFTER_PRESS_MILLISECONDS = 30, FLUSH_EVENTS = 1 }; /* GDK_FRAME_CLOCK_PHASE_FLUSH_EVENTS */

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

/* As GTK does after it moved widgets below the pointer: the surface's next frame asks for it; and that frame comes. */
static int
ask (void *surface)
{
  void *(*clock_of) (void *) = (void *(*)(void *))dlsym (RTLD_DEFAULT, "gdk_surface_get_frame_clock");
  void (*request_motion) (void *) = (void (*) (void *))dlsym (RTLD_DEFAULT, "gdk_surface_request_motion");
  void (*request_phase) (void *, int) = (void (*) (void *, int))dlsym (RTLD_DEFAULT, "gdk_frame_clock_request_phase");
  void *clock = clock_of (surface);

  if (clock != NULL) {
    request_motion (surface);
    request_phase (clock, FLUSH_EVENTS);
  }
  return 0; /* once */
}

static void
pressed (Window window)
{
  void *(*display) (void) = (void *(*)(void))dlsym (RTLD_DEFAULT, "gdk_display_get_default");
  void *(*surface_of) (void *, Window) =
      (void *(*)(void *, Window))dlsym (RTLD_DEFAULT, "gdk_x11_surface_lookup_for_display");
  unsigned (*in_time) (unsigned, int (*) (void *), void *) =
      (unsigned (*) (unsigned, int (*) (void *), void *))dlsym (RTLD_DEFAULT, "g_timeout_add");
  void *surface = surface_of (display (), window);

  if (surface != NULL)
    in_time (AFTER_PRESS_MILLISECONDS, ask, surface);
}

Bool
XGetEventData (Display *display, XGenericEventCookie *cookie)
{
  Bool (*get) (Display *, XGenericEventCookie *) =
      (Bool (*) (Display *, XGenericEventCookie *))dlsym (RTLD_NEXT, "XGetEventData");
  Bool got = get (display, cookie);

  if (got && cookie->evtype == XI_ButtonPress && ((XIDeviceEvent *)cookie->data)->detail == 1)
    pressed (((XIDeviceEvent *)cookie->data)->event);
  return got;
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
