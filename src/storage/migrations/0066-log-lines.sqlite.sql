-- Lines of the logs of all nodes, where several share a database; else the logs are files alone, and this is empty.
-- at: UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE log_lines (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  log TEXT NOT NULL,
  at TEXT NOT NULL,
  line TEXT NOT NULL
) STRICT;
CREATE INDEX log_lines_at ON log_lines (log, at, seq);
