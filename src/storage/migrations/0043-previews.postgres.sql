-- Previews: addresses that show what is not public yet. The token of an address is stored as its hash. Times are UTC,
-- YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE previews (
  id TEXT COLLATE "C" PRIMARY KEY,
  hash TEXT COLLATE "C" NOT NULL UNIQUE,
  -- JSON: the maker, whose present rights decide what is seen.
  author TEXT NOT NULL,
  -- The name of the maker, to find their own.
  maker TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  -- The object that was asked for; empty for a path.
  collection TEXT COLLATE "C" NOT NULL,
  object TEXT COLLATE "C" NOT NULL,
  shared INTEGER NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  expires TEXT COLLATE "C" NOT NULL,
  -- JSON: values and templates that are not saved, and when they were sent.
  unsaved TEXT,
  unsaved_at TEXT COLLATE "C"
);
CREATE INDEX previews_maker ON previews (maker, created, id);
CREATE INDEX previews_created ON previews (created, id);
CREATE INDEX previews_expires ON previews (expires);
