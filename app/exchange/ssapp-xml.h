/* app/exchange/ssapp-xml.h: an XML file as a tree with the lines of its elements, by GMarkup: no document type, no
 * entities but the five of XML, texts between elements are not kept.
 *
 * What was read is marked, so that a reader can tell all that it did not. Threads: any, a tree by one at a time. Tests:
 * tests/cli/test-exchange.sh
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Deeper files, and files with more elements, are refused. */
#define SSAPP_XML_MAX_DEPTH    100
#define SSAPP_XML_MAX_ELEMENTS 100000

typedef struct {
  char *name, *value;
  gboolean is_read;
} SsappXmlAttribute;

typedef struct SsappXml SsappXml;
struct SsappXml {
  char *name;
  const char *called; /* in what is told, static; NULL: its name */
  int line;           /* of the element's '<' */
  SsappXml *parent;
  GPtrArray *children; /* of SsappXml */
  GArray *attributes;  /* of SsappXmlAttribute */
  gboolean is_read;
};

/* The root element of a text of `length` bytes; NULL with an error "FILE:LINE: ..." for `path`. Freed with
 * ssapp_xml_free. */
SsappXml *ssapp_xml_read (const char *path, const char *text, gsize length, GError **error);
void ssapp_xml_free (SsappXml *root);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SsappXml, ssapp_xml_free)

/* A new element at the end of its parent's (nullable: a root). */
SsappXml *ssapp_xml_add (SsappXml *parent, const char *name, int line);
/* Sets an attribute that the element has not yet. */
void ssapp_xml_set (SsappXml *element, const char *name, const char *value);
SsappXml *ssapp_xml_child (const SsappXml *element, guint i);
/* The first child of that name, or NULL. */
SsappXml *ssapp_xml_find (const SsappXml *element, const char *name);
/* NULL: there is none; it is marked as read. Borrowed. */
const char *ssapp_xml_get (SsappXml *element, const char *name);
/* Marks the element and all its attributes as read. */
void ssapp_xml_mark (SsappXml *element);
/* The value of an attribute without a mark. */
const char *ssapp_xml_peek (const SsappXml *element, const char *name);

G_END_DECLS
