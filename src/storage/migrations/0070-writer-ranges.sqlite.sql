-- Where in the log the changes of a writer are: in each sealed range, from its first change there to its last one. An index of
-- all changes by writer would cost every write. number: the seal. newest: milliseconds.
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
INSERT INTO writer_ranges (writer, number, from_tx, from_seq, tx, seq, newest)
  SELECT changes.writer, seals.number, '0', min(changes.seq), 0, max(changes.seq), max(changes.at)
  FROM seals JOIN changes ON changes.seq > coalesce((SELECT before.seq FROM seals AS before WHERE before.number = seals.number - 1), 0)
    AND changes.seq <= seals.seq
  WHERE seals.pruned = 0 GROUP BY seals.number, changes.writer;
DROP INDEX changes_writer;
