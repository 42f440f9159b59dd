/* tests/unit/test-help.c: the manual that the programs carry: its pages and links, words in three forms, the search
 * against questions whose answers are known, print and HTML. */
#include "app/export/ssapp-help.h"

#include "run/ss-method.h"
#include "tests/ss-test.h"

#include <pango/pango.h>
#include <string.h>

static void
test_pages (void)
{
  static const char *const of_window[] = {"start", "sketch", "run", "compare", "impact", "study", "project"};
  g_autoptr (GPtrArray) pages = ssapp_help_pages (), window = ssapp_help_of_window (pages),
                        two = ssapp_help_named (pages, "anitescu-potra"),
                        none = ssapp_help_named (pages, "no-such-page");

  SS_CHECK (pages->len > 40 && strcmp (((SsappHelpPage *)g_ptr_array_index (pages, 0))->name, "README") == 0);
  for (guint i = 0; i < G_N_ELEMENTS (of_window); i++) {
    g_autoptr (GPtrArray) named = ssapp_help_named (pages, of_window[i]);
    SS_CHECK (named->len == 1 && strlen (((SsappHelpPage *)g_ptr_array_index (named, 0))->body) > 200);
  }
  SS_CHECK (window->len >= G_N_ELEMENTS (of_window));
  SS_CHECK (two->len == 2 && none->len == 0); /* an integrator and an impact law */
  for (int i = 0; i < ss_method_count (); i++) {
    const SsMethod *method = ss_method_at (i);
    g_autofree char *name = ssapp_help_method_page (method);
    const SsappHelpPage *page = ssapp_help_find (pages, name);
    SS_CHECK (page != NULL && strstr (page->body, "## Where it errs") != NULL);
  }
}

/* Marks of CommonMark are gone from every page, Pango takes its markup, and what links lead to is there. */
static void
test_words (void)
{
  g_autoptr (GPtrArray) pages = ssapp_help_pages ();

  for (guint i = 0; i < pages->len; i++) {
    const SsappHelpPage *page = g_ptr_array_index (pages, i);
    g_autofree char *text = ssapp_help_to_text (page);
    g_autoptr (GPtrArray) sections = ssapp_help_sections (page, pages, SSAPP_HELP_MARKUP);
    SS_CHECK (strstr (text, "\n## ") == NULL && strstr (text, "](") == NULL && strstr (text, "| --- |") == NULL);
    SS_CHECK (g_str_has_prefix (text, page->title));
    for (guint k = 0; k < sections->len; k++) {
      const SsappHelpSection *section = g_ptr_array_index (sections, k);
      g_autofree char *plain = NULL;
      g_autoptr (GString) markup = g_string_new (section->words);
      g_string_replace (markup, "<a href=", "<span lang=", 0); /* links are of labels, not of Pango */
      g_string_replace (markup, "</a>", "</span>", 0);
      SS_CHECK (pango_parse_markup (markup->str, -1, 0, NULL, &plain, NULL, NULL));
      for (const char *at = section->words; (at = strstr (at, "\"manual:")) != NULL;) {
        g_autofree char *name = NULL;
        at += strlen ("\"manual:");
        name = g_strndup (at, strcspn (at, "\""));
        SS_CHECK (ssapp_help_find (pages, name) != NULL);
      }
    }
  }
}

/* Takes out of a text what a pattern finds. */
static char *
without (char *text, const char *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_MULTILINE | G_REGEX_DOTALL, 0, NULL);
  char *rest = g_regex_replace_literal (regex, text, -1, 0, "", 0, NULL);

  g_free (text);
  return rest;
}

/* Letters and digits in order, a blank for all between: words as they are told apart. */
static char *
bare_words (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new ("[^\\p{L}\\p{N}]+", 0, 0, NULL);

  return g_regex_replace_literal (regex, text, -1, 0, " ", 0, NULL);
}

/* Every word of the file comes, in its order and apart from the next one: none is swallowed, no two become one (as in
 * a*b, where the asterisk is no mark). */
static void
test_every_word (void)
{
  g_autoptr (GPtrArray) pages = ssapp_help_pages ();

  for (guint i = 0; i < pages->len; i++) {
    const SsappHelpPage *page = g_ptr_array_index (pages, i);
    g_autofree char *text = ssapp_help_to_text (page), *source = g_strdup (page->body), *said = NULL, *meant = NULL;

    source = without (source, "<!--.*?-->|<a id=[^>]*>|</a>|\\]\\([^)\\s]*\\)");
    source = without (source, "(?<=^```)\\w[^\\n]*$");
    meant = bare_words (source);
    said = bare_words (text);
    g_strstrip (meant);
    g_strstrip (said);
    if (strcmp (meant, said) != 0) {
      gsize at = 0;
      while (meant[at] == said[at])
        at++;
      printf ("%s: ...%.60s\n not ...%.60s\n", page->name, said + MAX (at, 20) - 20, meant + MAX (at, 20) - 20);
    }
    SS_CHECK (strcmp (meant, said) == 0);
  }
}

/* Words as a student may type them, and a page that answers: among the first five. */
static void
test_search (void)
{
  static const struct {
    const char *words, *page;
  } asked[] = {
      {"which integrator for a swing", "questions"},
      {"wall clock or cpu time limit", "questions"},
      {"what does solved mean", "questions"},
      {"how do I cite", "questions"},
      {"compare my own code", "questions"},
      {"why do two runs differ", "questions"},
      {"repeat a run exactly", "questions"},
      {"plan failed what now", "questions"},
      {"two answers which is right", "questions"},
      {"step size how small", "questions"},
      {"outcome of several contacts at once", "impacts"},
      {"friction from a film", "film-to-numbers"},
      {"Zeno bounces", "integrators/event-driven"},
  };
  g_autoptr (GPtrArray) pages = ssapp_help_pages (), nothing = ssapp_help_search (pages, "xyzzyx"),
                        empty = ssapp_help_search (pages, "the of");

  SS_CHECK (nothing->len == 0 && empty->len == 0);
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++) {
    g_autoptr (GPtrArray) hits = ssapp_help_search (pages, asked[i].words);
    gboolean is_there = FALSE;
    for (guint k = 0; k < MIN (hits->len, 5); k++) {
      const SsappHelpHit *hit = g_ptr_array_index (hits, k);
      is_there = is_there || strcmp (hit->page->name, asked[i].page) == 0;
      SS_CHECK (k == 0 || hit->score <= ((SsappHelpHit *)g_ptr_array_index (hits, k - 1))->score);
      SS_CHECK (g_utf8_validate (hit->excerpt, -1, NULL) && strchr (hit->excerpt, '\n') == NULL);
    }
    if (!is_there)
      printf ("# '%s' does not find %s\n", asked[i].words, asked[i].page);
    SS_CHECK (is_there);
  }
  /* A frequent word stands in more sections than are told. */
  g_autoptr (GPtrArray) many = ssapp_help_search (pages, "contact");
  SS_CHECK (many->len == 20);
}

static void
test_print (void)
{
  g_autoptr (GPtrArray) pages = ssapp_help_pages (), window = ssapp_help_of_window (pages);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 10, 10);
  cairo_t *cr = cairo_create (surface);

  for (guint i = 0; i < window->len; i++) {
    const SsappHelpPage *page = g_ptr_array_index (window, i);
    SsappHelpPrint *high = ssapp_help_print_new (cr, page, 400, 1e5, 72),
                   *low = ssapp_help_print_new (cr, page, 400, 50, 72);
    SS_CHECK (ssapp_help_print_n_sheets (high) == 1);
    SS_CHECK (ssapp_help_print_n_sheets (low) > 2);
    ssapp_help_print_draw (low, cr, ssapp_help_print_n_sheets (low) - 1);
    SS_CHECK (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
    ssapp_help_print_free (high);
    ssapp_help_print_free (low);
  }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Links of the written files lead to files and places that are there. */
static void
test_html (void)
{
  g_autoptr (GPtrArray) pages = ssapp_help_pages ();
  g_autofree char *folder = g_dir_make_tmp ("stickslip-help-XXXXXX", NULL),
                  *deep = g_build_filename (folder, "a", "b", NULL),
                  *path = g_build_filename (deep, "integrators", "fesd-j.html", NULL), *html = NULL, *command = NULL;
  g_autoptr (GError) error = NULL;

  SS_CHECK (ssapp_help_export_html (pages, deep, &error));
  SS_CHECK (g_file_get_contents (path, &html, NULL, NULL));
  SS_CHECK (strstr (html, "<table>") != NULL && strstr (html, "href=\"../integrators/event-driven.html\"") != NULL);
  SS_CHECK (strstr (html, "<a id=\"where-it-errs\"></a>") != NULL && strstr (html, ".md") == NULL);
  for (const char *at = html; (at = strstr (at, "href=\"")) != NULL;) {
    g_autofree char *file = NULL, *there = NULL;
    at += strlen ("href=\"");
    file = g_strndup (at, strcspn (at, "\"#"));
    there = g_build_filename (deep, "integrators", file, NULL);
    SS_CHECK (file[0] == '\0' || g_file_test (there, G_FILE_TEST_EXISTS));
  }
  g_free (path);
  path = g_build_filename ("/proc", "no", NULL); /* nothing can be made there */
  SS_CHECK (!ssapp_help_export_html (pages, path, &error) && error != NULL);
  command = g_strdup_printf ("rm -r '%s'", folder);
  SS_CHECK (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static int
count_of (const char *text, const char *words)
{
  int n = 0;

  for (const char *at = text; (at = strstr (at, words)) != NULL; at++)
    n++;
  return n;
}

/* A picture is shown by its page where the folder has it, with what it shows; elsewhere no page has a broken one. */
static void
test_pictures (void)
{
  g_autoptr (GPtrArray) pages = ssapp_help_pages ();
  g_autofree char *folder = g_dir_make_tmp ("stickslip-help-XXXXXX", NULL),
                  *page = g_build_filename (folder, "sub", "a.html", NULL), *html = NULL, *without = NULL,
                  *command = g_strdup_printf ("rm -r '%s'", folder),
                  *picture = g_build_filename (folder, "fall & <up>.svg", NULL);
  SsappHelpPage *first = g_ptr_array_index (pages, 1);

  g_free (first->name);
  first->name = g_strdup ("sub/a");
  g_free (first->body);
  first->body = g_strdup ("# A\n\nwords ![The window](../../pictures/window.png)\n\n[R](https://a.b/c.png)\n\n<!-- "
                          "picture fall & <up>.svg: \"Height\": over t -->\n\n<!-- picture no -->\n");
  SS_CHECK (ssapp_help_export_html (pages, folder, NULL) && g_file_get_contents (page, &without, NULL, NULL));
  SS_CHECK (without != NULL && strstr (without, "<figure") == NULL);
  /* What a page has as a picture stands beside the index, wherever the page is; links out of the manual stay. */
  SS_CHECK_CONTAINS (without, "<img src=\"../window.png\" alt=\"The window\"");
  SS_CHECK (count_of (without, "<img") == 1);
  SS_CHECK_CONTAINS (without, "href=\"https://a.b/c.png\"");
  SS_CHECK (g_file_set_contents (picture, "<svg/>", -1, NULL));
  SS_CHECK (ssapp_help_export_html (pages, folder, NULL) && g_file_get_contents (page, &html, NULL, NULL));
  SS_CHECK_CONTAINS (html, "<figure><img src=\"../fall &amp; &lt;up&gt;.svg\" alt=\"&quot;Height&quot;: over t\">");
  SS_CHECK_CONTAINS (html, "<figcaption>&quot;Height&quot;: over t</figcaption></figure>");
  SS_CHECK (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

int
main (void)
{
  SS_RUN (test_pages);
  SS_RUN (test_words);
  SS_RUN (test_every_word);
  SS_RUN (test_search);
  SS_RUN (test_print);
  SS_RUN (test_html);
  SS_RUN (test_pictures);
  return ss_test_finish ();
}
