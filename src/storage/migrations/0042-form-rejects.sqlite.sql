-- What was sent by a form of the website and judged to be spam, kept for some days. Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE form_rejects (
  id TEXT PRIMARY KEY NOT NULL,
  -- collection/name
  form TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- JSON of the values.
  content TEXT NOT NULL,
  created TEXT NOT NULL
) STRICT;
CREATE INDEX form_rejects_forms ON form_rejects (form, created, id);
CREATE INDEX form_rejects_created ON form_rejects (created);
