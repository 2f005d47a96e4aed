-- Server processes that share the database. knows: the newest migration that the process has; what removes something waits until
-- every process that was seen lately knows it.
CREATE TABLE nodes (
  id TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  knows TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  seen TEXT NOT NULL
);
