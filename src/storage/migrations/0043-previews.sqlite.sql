-- Previews: addresses that show what is not public yet. The token of an address is stored as its hash. Times are UTC,
-- YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE previews (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  -- JSON: the maker, whose present rights decide what is seen.
  author TEXT NOT NULL,
  -- The name of the maker, to find their own.
  maker TEXT NOT NULL,
  path TEXT NOT NULL,
  -- The object that was asked for; empty for a path.
  collection TEXT NOT NULL,
  object TEXT NOT NULL,
  shared INTEGER NOT NULL,
  created TEXT NOT NULL,
  expires TEXT NOT NULL,
  -- JSON: values and templates that are not saved, and when they were sent.
  unsaved TEXT,
  unsaved_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX previews_maker ON previews (maker, created, id);
CREATE INDEX previews_created ON previews (created, id);
CREATE INDEX previews_expires ON previews (expires);
