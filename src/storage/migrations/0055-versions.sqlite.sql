-- What each commit touched, numbered without gaps, for other processes: they read the rows after the last one that they know.
-- Only the newest rows are kept.
CREATE TABLE versions (
  n INTEGER PRIMARY KEY,
  scope TEXT NOT NULL
) STRICT;
