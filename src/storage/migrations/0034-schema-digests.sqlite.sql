-- The content of each schema file that was announced last, so that a change is announced once, by whichever process sees
-- it first. The row with the empty id says that the files were noted at least once.
CREATE TABLE schema_digests (
  id TEXT PRIMARY KEY,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
