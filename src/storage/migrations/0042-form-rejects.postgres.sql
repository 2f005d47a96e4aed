-- What was sent by a form of the website and judged to be spam, kept for some days. Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE form_rejects (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  -- collection/name
  form TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  -- JSON of the values.
  content TEXT NOT NULL,
  created TEXT COLLATE "C" NOT NULL
);
CREATE INDEX form_rejects_forms ON form_rejects (form, created, id);
CREATE INDEX form_rejects_created ON form_rejects (created);
