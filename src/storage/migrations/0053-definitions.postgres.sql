-- Definitions that all nodes share: schemas, templates, settings, signing keys. Where one server has the database alone, the
-- files in its data directory decide, and this table stays empty.
-- hash: of the content. former: JSON list of earlier hashes, so that an older copy is not taken for an edit.
CREATE TABLE definitions (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  content TEXT NOT NULL,
  hash TEXT NOT NULL,
  former TEXT NOT NULL,
  rev INTEGER NOT NULL,
  updated TEXT NOT NULL,
  PRIMARY KEY (kind, id)
);
