-- Numbers of the caches of each server process, which writes them every few seconds. Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE cache_processes (
  id TEXT PRIMARY KEY,
  started TEXT NOT NULL,
  seen TEXT NOT NULL,
  -- JSON.
  figures TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX cache_processes_seen ON cache_processes (seen);
