/* tests/unit/test-svg.c: SVG with fewer bytes looks the same: numbers to a hundredth of a point, what is said anyway
 * left out, and nothing else touched. */
#include "app/export/ssapp-svg.h"
#include "tests/ss-test.h"

static void
check (const char *from, const char *to)
{
  g_autoptr (GString) svg = g_string_new (from);

  ssapp_svg_shrink (svg);
  SS_CHECK_STR (svg->str, to);
}

#define HEAD       "<svg width=\"10.12345pt\">"
#define HEAD_AFTER "<svg stroke-miterlimit=\"10\" width=\"10.12345pt\">"

static void
paths_lose_digits (void)
{
  check (HEAD "<path d=\"M 1.234567 -0.001 L 100 2.50 C .5 -.5 1.999 2 3 4 Z\"/>",
         HEAD_AFTER "<path d=\"M1.23 0L100 2.5C0.5 -0.5 2 2 3 4Z\"/>");
  /* where Cairo says that a closed path goes on, and does not */
  check (HEAD "<path d=\"M 1 2 L 3 4 Z M 1 2 \"/>", HEAD_AFTER "<path d=\"M1 2L3 4Z\"/>");
  check (HEAD "<path d=\"M 1 2 L 3 4 Z M 1 2 L 5 6 \"/>", HEAD_AFTER "<path d=\"M1 2L3 4ZM1 2L5 6\"/>");
  /* a place that is added, is added; texts stay */
  check (HEAD "<text x=\"1.234567\">1.234567</text><path style=\"fill:none;\" d=\"M 1.005001 0 L 2 3\" "
              "transform=\"matrix(1,0,0,1,0.123456,2)\"/>",
         HEAD_AFTER "<text x=\"1.234567\">1.234567</text><path style=\"fill:none;\" d=\"M1.13 2L2.12 5\"/>");
  check (HEAD "<path d=\"M 1.236 0\" transform=\"matrix(0.5,0,0,0.5,7.777,2)\"/>",
         HEAD_AFTER "<path d=\"M1.24 0\" transform=\"matrix(0.5,0,0,0.5,7.777,2)\"/>");
  check (HEAD "<path d=\"M 1.234567 0 h 5\"/>", HEAD_AFTER "<path d=\"M 1.234567 0 h 5\"/>");
  /* what is drawn larger keeps its digits */
  check (HEAD "<path d=\"M 1.234567 0\" transform=\"matrix(300,0,0,-300,1,2)\"/>",
         HEAD_AFTER "<path d=\"M 1.234567 0\" transform=\"matrix(300,0,0,-300,1,2)\"/>");
  check (HEAD "<path d=\"M 1.234567 0\" transform=\"scale(9)\"/>",
         HEAD_AFTER "<path d=\"M 1.234567 0\" transform=\"scale(9)\"/>");
}

static void
styles_lose_what_is_said_anyway (void)
{
  check (HEAD
         "<path style=\"fill:none;stroke-width:0.5;stroke-linecap:butt;stroke-linejoin:miter;stroke:rgb(0%,44.705882%,"
         "69.803922%);stroke-opacity:1;stroke-miterlimit:10;\" d=\"M 0 0\"/>",
         HEAD_AFTER "<path style=\"fill:none;stroke-width:0.5;stroke:#0072b2;\" d=\"M0 0\"/>");
  check (HEAD "<path style=\"fill-rule:evenodd;fill:rgb(100%,100%,100%);fill-opacity:0.15;stroke-linecap:round;\"/>",
         HEAD_AFTER "<path style=\"fill-rule:evenodd;fill:#ffffff;fill-opacity:0.15;stroke-linecap:round;\"/>");
}

static void
what_is_no_svg_stays (void)
{
  check ("no picture <path d=\"M 1.234567\"", "no picture <path d=\"M 1.234567\"");
  check (HEAD "<path d=\"M 1.234567", HEAD_AFTER "<path d=\"M 1.234567");
}

int
main (void)
{
  SS_RUN (paths_lose_digits);
  SS_RUN (styles_lose_what_is_said_anyway);
  SS_RUN (what_is_no_svg_stays);
  return ss_test_finish ();
}
