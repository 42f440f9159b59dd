/* stickslip-method.h: a small part of what a method of your own says and hears, for C without a JSON library: lines are
 * read whole, numbers are found behind a text such as "\"q\":". Protocol 1; see the manual, own-method. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SM_MAX = 100000 }; /* numbers of a list */

/* The next line of standard input; free. The program ends where there is none. */
static char *
sm_read (void)
{
  size_t size = 1 << 16, n = 0;
  char *line = malloc (size);
  int c;

  while (line != NULL && (c = getchar ()) != EOF && c != '\n') {
    if (n + 2 > size)
      line = realloc (line, size *= 2);
    if (line != NULL)
      line[n++] = (char)c;
  }
  if (line == NULL || n == 0)
    exit (1);
  line[n] = '\0';
  return line;
}

/* Numbers of the first list behind `key`; returns how many. Null counts as 0. */
static int
sm_numbers (const char *line, const char *key, double *out)
{
  const char *at = strstr (line, key);
  int n = 0;

  if (at == NULL)
    return 0;
  for (at += strlen (key); *at == '[' || *at == ' '; at++)
    continue;
  while (*at != '\0' && *at != ']' && n < SM_MAX) {
    char *end;
    const double value = strtod (at, &end);
    out[n++] = end > at ? value : 0;
    at = end > at ? end : at + 4; /* null */
    while (*at == ',' || *at == ' ')
      at++;
  }
  return n;
}

static void
sm_put (const char *name, int n, const double *values)
{
  printf (", \"%s\": [", name);
  for (int i = 0; i < n; i++)
    printf ("%s%.17g", i > 0 ? ", " : "", values[i]);
  printf ("]");
}

/* The reply to a question for `want` ("\"forces\"") at q, v, with more members (", \"t\": 1"); free. */
static char *
sm_ask_at (const char *want, const char *more, int n, const double *q, const double *v)
{
  printf ("{\"type\": \"question\", \"want\": [%s]%s", want, more);
  if (n > 0) {
    sm_put ("q", n, q);
    sm_put ("v", n, v);
  }
  puts ("}");
  fflush (stdout);
  return sm_read ();
}

static inline char *
sm_ask (const char *want, const char *more)
{
  return sm_ask_at (want, more, 0, NULL, NULL);
}

/* A row of the motion. Names of bodies are those in the reply to "scene". */
static inline void
sm_frame (const char *scene, double t, int n, const double *q, const double *v)
{
  static const char *const names[] = {"x", "y", "theta", "vx", "vy", "omega"};
  const char *at = strstr (scene, "\"bodies\":");

  printf ("{\"type\": \"frame\", \"channels\": [\"t\"");
  for (int b = 0; b < n / 3 && at != NULL; b++) {
    at = strstr (at, "\"name\":\"");
    at = at != NULL ? at + strlen ("\"name\":\"") : NULL;
    for (int c = 0; c < 6 && at != NULL; c++)
      printf (", \"%.*s.%s\"", (int)strcspn (at, "\""), at, names[c]);
  }
  printf ("], \"values\": [%.17g", t);
  for (int b = 0; b < n / 3; b++)
    printf (", %.17g, %.17g, %.17g, %.17g, %.17g, %.17g", q[3 * b], q[3 * b + 1], q[3 * b + 2], v[3 * b], v[3 * b + 1],
            v[3 * b + 2]);
  puts ("]}");
  fflush (stdout);
}
