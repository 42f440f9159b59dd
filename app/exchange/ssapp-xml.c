/* app/exchange/ssapp-xml.c: see the header. */
#include "app/exchange/ssapp-xml.h"

#include <gio/gio.h>
#include <string.h>

typedef struct {
  const char *path;
  SsappXml *root, *open;
  int depth, n_elements;
  /* The line that was looked at last, for lines of tags: GMarkup tells where a tag ends. */
  const char *text, *line_start;
  int line;
} Reading;

static void
clear_attribute (gpointer data)
{
  SsappXmlAttribute *attribute = data;

  g_free (attribute->name);
  g_free (attribute->value);
}

/* Depth is bounded where trees are made. */
void
ssapp_xml_free (SsappXml *root)
{
  if (root == NULL)
    return;
  g_ptr_array_unref (root->children);
  g_array_unref (root->attributes);
  g_free (root->name);
  g_free (root);
}

SsappXml *
ssapp_xml_add (SsappXml *parent, const char *name, int line)
{
  SsappXml *self = g_new0 (SsappXml, 1);

  self->name = g_strdup (name);
  self->line = line;
  self->parent = parent;
  self->children = g_ptr_array_new_with_free_func ((GDestroyNotify)ssapp_xml_free);
  self->attributes = g_array_new (FALSE, FALSE, sizeof (SsappXmlAttribute));
  g_array_set_clear_func (self->attributes, clear_attribute);
  if (parent != NULL)
    g_ptr_array_add (parent->children, self);
  return self;
}

void
ssapp_xml_set (SsappXml *element, const char *name, const char *value)
{
  const SsappXmlAttribute attribute = {g_strdup (name), g_strdup (value), FALSE};

  g_array_append_val (element->attributes, attribute);
}

SsappXml *
ssapp_xml_child (const SsappXml *element, guint i)
{
  return g_ptr_array_index (element->children, i);
}

SsappXml *
ssapp_xml_find (const SsappXml *element, const char *name)
{
  for (guint i = 0; i < element->children->len; i++)
    if (strcmp (ssapp_xml_child (element, i)->name, name) == 0)
      return ssapp_xml_child (element, i);
  return NULL;
}

static SsappXmlAttribute *
find_attribute (const SsappXml *element, const char *name)
{
  for (guint i = 0; i < element->attributes->len; i++)
    if (strcmp (g_array_index (element->attributes, SsappXmlAttribute, i).name, name) == 0)
      return &g_array_index (element->attributes, SsappXmlAttribute, i);
  return NULL;
}

const char *
ssapp_xml_get (SsappXml *element, const char *name)
{
  SsappXmlAttribute *attribute = find_attribute (element, name);

  if (attribute == NULL)
    return NULL;
  attribute->is_read = TRUE;
  return attribute->value;
}

void
ssapp_xml_mark (SsappXml *element)
{
  element->is_read = TRUE;
  for (guint i = 0; i < element->attributes->len; i++)
    g_array_index (element->attributes, SsappXmlAttribute, i).is_read = TRUE;
}

const char *
ssapp_xml_peek (const SsappXml *element, const char *name)
{
  const SsappXmlAttribute *attribute = find_attribute (element, name);

  return attribute != NULL ? attribute->value : NULL;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The line of the '<' of the tag that was just read: no '<' is in a tag. GMarkup is behind its end, or at it, and
 * counts the end of a line as the first character of the next. */
static int
line_of_tag (Reading *reading, GMarkupParseContext *context)
{
  const char *at;
  int line, column;

  g_markup_parse_context_get_position (context, &line, &column);
  for (; reading->line < line; reading->line++) {
    const char *end = strchr (reading->line_start + (reading->line > 1), '\n');
    if (end == NULL)
      return line;
    reading->line_start = end;
  }
  at = reading->line_start;
  for (int i = 1; i < column && *at != '\0'; i++)
    at = g_utf8_next_char (at);
  do
    line -= *at == '\n';
  while (at > reading->text && *--at != '<');
  return line;
}

static void
on_start (GMarkupParseContext *context, const char *name, const char **names, const char **values, gpointer data,
          GError **error)
{
  Reading *reading = data;
  const int line = line_of_tag (reading, context);

  if (reading->open == NULL && reading->root != NULL) {
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "%s:%d: a second root element '%s'",
                 reading->path, line, name);
  } else if (++reading->depth > SSAPP_XML_MAX_DEPTH) {
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
                 "%s:%d: elements lie deeper in one another than %d", reading->path, line, SSAPP_XML_MAX_DEPTH);
  } else if (++reading->n_elements > SSAPP_XML_MAX_ELEMENTS) {
    g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "%s:%d: more than %d elements", reading->path,
                 line, SSAPP_XML_MAX_ELEMENTS);
  } else {
    reading->open = ssapp_xml_add (reading->open, name, line);
    if (reading->root == NULL)
      reading->root = reading->open;
    for (int i = 0; names[i] != NULL; i++) {
      if (find_attribute (reading->open, names[i]) != NULL) {
        g_set_error (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "%s:%d: element '%s' has '%s' twice",
                     reading->path, line, name, names[i]);
        return;
      }
      ssapp_xml_set (reading->open, names[i], values[i]);
    }
  }
}

static void
on_end (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  Reading *reading = data;

  (void)context, (void)name, (void)error;
  reading->open = reading->open->parent;
  reading->depth--;
}

SsappXml *
ssapp_xml_read (const char *path, const char *text, gsize length, GError **error)
{
  static const GMarkupParser parser = {.start_element = on_start, .end_element = on_end};
  Reading reading = {.path = path, .text = text, .line_start = text, .line = 1};
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, G_MARKUP_DEFAULT_FLAGS, &reading, NULL);
  g_autoptr (GError) told = NULL;
  int line, column;

  if (!g_markup_parse_context_parse (context, text, (gssize)length, &told) ||
      !g_markup_parse_context_end_parse (context, &told)) {
    g_markup_parse_context_get_position (context, &line, &column);
    if (g_str_has_prefix (told->message, path)) {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, told->message);
    } else {
      /* GMarkup begins its own messages with the place. */
      const char *message = strstr (told->message, ": ");
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%d: this is no XML: %s", path, line,
                   message != NULL && g_str_has_prefix (told->message, "Error on line") ? message + 2 : told->message);
    }
    g_clear_pointer (&reading.root, ssapp_xml_free);
  } else if (reading.root == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:1: there is no element", path);
  }
  g_markup_parse_context_free (context);
  return reading.root;
}
