-- Where in the log the changes of a writer are: in each sealed range, from its first change there to its last one. An index of
-- all changes by writer would cost every write. number: the seal. newest: milliseconds. Sealing fills it, also for older seals.
CREATE TABLE writer_ranges (
  writer BIGINT NOT NULL,
  number BIGINT NOT NULL,
  from_tx TEXT NOT NULL,
  from_seq BIGINT NOT NULL,
  tx XID8 NOT NULL,
  seq BIGINT NOT NULL,
  newest BIGINT NOT NULL,
  PRIMARY KEY (writer, tx, seq)
);
-- Up to this seal the writers are noted.
ALTER TABLE change_log ADD COLUMN noted BIGINT NOT NULL DEFAULT 0;
DROP INDEX changes_writer;
