/* app/export/ssapp-help-search.c: the search in the manual. See the header. */
#include "app/export/ssapp-help.h"

#include <math.h>
#include <string.h>

enum { HITS_MAX = 20, SHORTEST_STEM = 4, EXCERPT = 160 };
/* Usual constants of BM25: how soon a word that comes again adds nothing, how much long sections are discounted. */
static const double saturation = 1.2, discount = 0.75;
/* What a word in a heading of a section, in the page's title, counts beside one in the text. */
static const double in_heading = 6, in_title = 3;
/* Words of questions that say nothing of what is asked. */
static const char *const empty_words[] = {"a",   "an",   "and",  "are",  "can",   "do",     "does",  "for", "how",
                                          "i",   "in",   "is",   "it",   "my",    "of",     "on",    "or",  "the",
                                          "to",  "two",  "was",  "what", "when",  "where",  "who",   "why", "with",
                                          "you", "your", "this", "that", "which", "should", "there", "be"};

/* Beginnings by which words are compared: without the endings of plurals and verbs. */
static char *
stem_of (const char *word)
{
  static const char *const endings[] = {"ing", "ed", "es", "s", "e"};
  char *stem = g_utf8_casefold (word, -1);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (stem, endings[i]) && strlen (stem) >= SHORTEST_STEM + strlen (endings[i])) {
      stem[strlen (stem) - strlen (endings[i])] = '\0';
      break;
    }
  return stem;
}

static gboolean
is_letter (const char *at)
{
  const gunichar c = g_utf8_get_char (at);

  return g_unichar_isalnum (c) || c == '-' || c == '_';
}

/* Calls `tell` with each word of the text and where it begins. */
static void
for_words (const char *text, void (*tell) (const char *word, gsize at, gpointer data), gpointer data)
{
  for (const char *at = text; *at != '\0';) {
    const char *end = at;
    while (*end != '\0' && is_letter (end))
      end = g_utf8_next_char (end);
    if (end > at) {
      g_autofree char *word = g_strndup (at, (gsize)(end - at)), *folded = g_utf8_casefold (word, -1);
      tell (folded, (gsize)(at - text), data);
      at = end;
    } else
      at = g_utf8_next_char (at);
  }
}

typedef struct {
  GPtrArray *stems;     /* of the question */
  guint *counts, words; /* in the text at hand: of each stem, of all words */
  gsize first;          /* where the first stem stands */
  gboolean has_first;
} Count;

static void
count_word (const char *word, gsize at, gpointer data)
{
  Count *count = data;

  count->words++;
  for (guint s = 0; s < count->stems->len; s++)
    if (g_str_has_prefix (word, g_ptr_array_index (count->stems, s))) {
      count->counts[s]++;
      if (!count->has_first)
        count->first = at;
      count->has_first = TRUE;
    }
}

static void
add_stem (const char *word, gsize at, gpointer data)
{
  (void)at;
  for (guint i = 0; i < G_N_ELEMENTS (empty_words); i++)
    if (strcmp (empty_words[i], word) == 0)
      return;
  g_ptr_array_add (data, stem_of (word));
}

static void
hit_free (gpointer data)
{
  SsappHelpHit *hit = data;

  g_free (hit->title);
  g_free (hit->excerpt);
  g_free (hit);
}

static int
by_score (gconstpointer a, gconstpointer b)
{
  const SsappHelpHit *left = *(SsappHelpHit *const *)a, *right = *(SsappHelpHit *const *)b;

  return (left->score < right->score) - (left->score > right->score);
}

/* The words round a place, on one line. */
static char *
excerpt_of (const char *text, gsize at)
{
  const char *begin = text + at, *end;
  char *line;

  for (int i = 0; i < EXCERPT / 4 && begin > text && begin[-1] != '\n'; i++)
    begin = g_utf8_find_prev_char (text, begin);
  if (begin > text && begin[-1] != '\n')
    while (*begin != ' ' && begin < text + at)
      begin = g_utf8_next_char (begin);
  end = begin;
  for (int i = 0; i < EXCERPT && *end != '\0'; i++)
    end = g_utf8_next_char (end);
  line = g_strndup (begin, (gsize)(end - begin));
  for (char *c = line; *c != '\0'; c++)
    if (*c == '\n')
      *c = ' ';
  return g_strstrip (line);
}

/* A section as the search sees it: counts of the stems in its words, weighted by where they stand. */
typedef struct {
  SsappHelpHit *hit;
  double *weights; /* of each stem */
  guint words;
} Seen;

static Seen *
look (const SsappHelpPage *page, guint number, const SsappHelpSection *section, GPtrArray *stems)
{
  const struct {
    const char *text;
    double weight;
  } places[] = {{section->words, 1}, {number > 0 ? section->title : "", in_heading}, {page->title, in_title}};
  Seen *seen = g_new0 (Seen, 1);

  seen->weights = g_new0 (double, stems->len);
  seen->hit = g_new0 (SsappHelpHit, 1);
  *seen->hit = (SsappHelpHit){.page = page, .section = number, .title = g_strdup (section->title)};
  for (guint p = 0; p < G_N_ELEMENTS (places); p++) {
    g_autofree guint *counts = g_new0 (guint, stems->len);
    Count count = {.stems = stems, .counts = counts};
    for_words (places[p].text, count_word, &count);
    for (guint s = 0; s < stems->len; s++)
      seen->weights[s] += places[p].weight * counts[s];
    if (p == 0) {
      seen->words = count.words;
      seen->hit->excerpt = excerpt_of (section->words, count.first);
    }
  }
  return seen;
}

GPtrArray *
ssapp_help_search (GPtrArray *pages, const char *words)
{
  g_return_val_if_fail (pages != NULL && words != NULL, NULL);

  GPtrArray *hits = g_ptr_array_new_with_free_func (hit_free);
  g_autoptr (GPtrArray) stems = g_ptr_array_new_with_free_func (g_free), seen = g_ptr_array_new ();
  double all_words = 0;
  for_words (words, add_stem, stems);
  g_autofree guint *n_with = g_new0 (guint, stems->len + 1); /* sections that have the stem */
  for (guint i = 0; i < pages->len; i++) {
    const SsappHelpPage *page = g_ptr_array_index (pages, i);
    g_autoptr (GPtrArray) sections = ssapp_help_sections (page, pages, SSAPP_HELP_TEXT);
    for (guint k = 0; k < sections->len; k++) {
      Seen *one = look (page, k, g_ptr_array_index (sections, k), stems);
      for (guint s = 0; s < stems->len; s++)
        n_with[s] += one->weights[s] > 0;
      all_words += one->words;
      g_ptr_array_add (seen, one);
    }
  }
  for (guint i = 0; i < seen->len; i++) {
    Seen *one = g_ptr_array_index (seen, i);
    const double length = 1 - discount + discount * one->words * seen->len / fmax (all_words, 1);
    for (guint s = 0; s < stems->len; s++)
      one->hit->score += log (1 + (seen->len - n_with[s] + 0.5) / (n_with[s] + 0.5)) * one->weights[s] *
                         (saturation + 1) / (one->weights[s] + saturation * length);
  }
  for (guint i = 0; i < seen->len; i++) {
    Seen *one = g_ptr_array_index (seen, i);
    if (one->hit->score > 0)
      g_ptr_array_add (hits, one->hit);
    else
      hit_free (one->hit);
    g_free (one->weights);
    g_free (one);
  }
  g_ptr_array_sort (hits, by_score);
  if (hits->len > HITS_MAX)
    g_ptr_array_remove_range (hits, HITS_MAX, hits->len - HITS_MAX);
  return hits;
}
