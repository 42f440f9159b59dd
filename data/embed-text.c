/* data/embed-text.c: writes a text file as a C array, so that the program carries it (run by the build, once per file).
 *
 *   embed-text FILE NAME OUTPUT    OUTPUT then defines `static const char NAME[]`, terminated by 0
 *
 * An array of numbers rather than a string literal: ISO C promises only 4095 characters for those.
 */
#include <stdio.h>

enum { BYTES_PER_LINE = 20 };

int
main (int argc, char **argv)
{
  if (argc != 4) {
    fprintf (stderr, "usage: embed-text FILE NAME OUTPUT\n");
    return 2;
  }
  FILE *in = fopen (argv[1], "rb");
  if (in == NULL) {
    perror (argv[1]);
    return 1;
  }
  FILE *out = fopen (argv[3], "wb");
  if (out == NULL) {
    perror (argv[3]);
    fclose (in);
    return 1;
  }
  fprintf (out, "static const char %s[] = {\n", argv[2]);
  int n = 0;
  for (int c = fgetc (in); c != EOF; c = fgetc (in), n++)
    fprintf (out, "(char)%d,%s", c, n % BYTES_PER_LINE == BYTES_PER_LINE - 1 ? "\n" : "");
  fprintf (out, "0};\n");
  int failed = ferror (in) || ferror (out);
  fclose (in);
  if (fclose (out) != 0 || failed) {
    fprintf (stderr, "embed-text: cannot write %s\n", argv[3]);
    return 1;
  }
  return 0;
}
