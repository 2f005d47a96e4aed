-- Objects: the document exactly as it is answered; secrets in a column that only the password check reads;
-- in the attic the values of properties that the schema has no more: they come back with the property.
CREATE TABLE objects (
  rid BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  collection TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  modified TEXT COLLATE "C" NOT NULL,
  rev BIGINT NOT NULL,
  schema_rev TEXT NOT NULL,
  doc TEXT NOT NULL,
  secrets TEXT NOT NULL,
  attic TEXT NOT NULL DEFAULT '{}',
  UNIQUE (collection, id)
);

-- The collection index: indexed properties as they are (idx) and in lower case (fold).
CREATE TABLE object_index (
  rid BIGINT PRIMARY KEY,
  collection TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  modified TEXT COLLATE "C" NOT NULL,
  idx JSONB NOT NULL,
  fold JSONB NOT NULL,
  text_hash TEXT NOT NULL
);
CREATE INDEX object_index_lists ON object_index USING GIN (fold jsonb_path_ops);
CREATE INDEX object_index_id ON object_index (collection, id);
CREATE INDEX object_index_created ON object_index (collection, created DESC, id);

-- Words are folded before they come here, so that every engine finds the same.
CREATE TABLE object_fts (
  rid BIGINT PRIMARY KEY,
  words TSVECTOR NOT NULL
);
CREATE INDEX object_fts_words ON object_fts USING GIN (words);

-- settings: JSON text without the counters. indexed_rev: the schema revision all its index entries are made under.
CREATE TABLE collections (
  id TEXT COLLATE "C" PRIMARY KEY,
  settings TEXT NOT NULL,
  count BIGINT NOT NULL DEFAULT 0,
  total_objects BIGINT NOT NULL DEFAULT 0,
  last_updated TEXT COLLATE "C" NOT NULL,
  updated TEXT COLLATE "C" NOT NULL,
  indexed_rev TEXT NOT NULL,
  is_deleting INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  methods TEXT NOT NULL,
  endpoints TEXT NOT NULL,
  created TEXT NOT NULL,
  last_used TEXT
);

-- When something beside the database last changed, such as the settings file: other processes notice the write.
CREATE TABLE stamps (
  scope TEXT PRIMARY KEY,
  stamped TEXT NOT NULL
);
