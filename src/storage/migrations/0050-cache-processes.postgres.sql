-- Numbers of the caches of each server process, which writes them every few seconds. Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE cache_processes (
  id TEXT COLLATE "C" PRIMARY KEY,
  started TEXT COLLATE "C" NOT NULL,
  seen TEXT COLLATE "C" NOT NULL,
  -- JSON.
  figures TEXT NOT NULL
);
CREATE INDEX cache_processes_seen ON cache_processes (seen);
