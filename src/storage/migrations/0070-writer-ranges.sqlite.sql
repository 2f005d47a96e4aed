-- Where in the log the changes of a writer are: in each sealed range, from its first change there to its last one. An index of
-- all changes by writer would cost every write. number: the seal. newest: milliseconds. Sealing fills it, also for older seals.
CREATE TABLE writer_ranges (
  writer INTEGER NOT NULL,
  number INTEGER NOT NULL,
  from_tx TEXT NOT NULL,
  from_seq INTEGER NOT NULL,
  tx INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  newest INTEGER NOT NULL,
  PRIMARY KEY (writer, seq)
) STRICT, WITHOUT ROWID;
-- Up to this seal the writers are noted.
ALTER TABLE change_log ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
DROP INDEX changes_writer;
