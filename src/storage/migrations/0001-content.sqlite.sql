-- Objects: the document exactly as it is answered; secrets in a column that only the password check reads;
-- in the attic the values of properties that the schema has no more: they come back with the property.
CREATE TABLE objects (
  rid INTEGER PRIMARY KEY AUTOINCREMENT,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  created TEXT NOT NULL,
  modified TEXT NOT NULL,
  rev INTEGER NOT NULL,
  schema_rev TEXT NOT NULL,
  doc TEXT NOT NULL,
  secrets TEXT NOT NULL,
  attic TEXT NOT NULL DEFAULT '{}',
  UNIQUE (collection, id)
) STRICT;

-- The collection index: indexed properties as they are (idx) and in lower case (fold), as binary JSON.
CREATE TABLE object_index (
  rid INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  created TEXT NOT NULL,
  modified TEXT NOT NULL,
  idx BLOB NOT NULL,
  fold BLOB NOT NULL,
  text_hash TEXT NOT NULL
) STRICT;
CREATE INDEX object_index_id ON object_index (collection, id);
CREATE INDEX object_index_created ON object_index (collection, created DESC, id);

-- Words are folded before they come here, so that every engine finds the same.
CREATE VIRTUAL TABLE object_fts USING fts5 (
  title, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0'
);
INSERT INTO object_fts (object_fts, rank) VALUES ('rank', 'bm25(10.0, 1.0)');

-- settings: JSON text without the counters. indexed_rev: the schema revision all its index entries are made under.
CREATE TABLE collections (
  id TEXT PRIMARY KEY,
  settings TEXT NOT NULL,
  count INTEGER NOT NULL DEFAULT 0,
  total_objects INTEGER NOT NULL DEFAULT 0,
  last_updated TEXT NOT NULL,
  updated TEXT NOT NULL,
  indexed_rev TEXT NOT NULL,
  is_deleting INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  methods TEXT NOT NULL,
  endpoints TEXT NOT NULL,
  created TEXT NOT NULL,
  last_used TEXT
) STRICT;

-- When something beside the database last changed, such as the settings file: other processes notice the write.
CREATE TABLE stamps (
  scope TEXT PRIMARY KEY,
  stamped TEXT NOT NULL
) STRICT;
