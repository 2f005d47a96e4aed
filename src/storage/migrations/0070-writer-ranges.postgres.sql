-- Where in the log the changes of a writer are: in each sealed range, from its first change there to its last one. An index of
-- all changes by writer would cost every write. number: the seal. newest: milliseconds.
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
INSERT INTO writer_ranges (writer, number, from_tx, from_seq, tx, seq, newest)
  SELECT found.writer, seals.number,
    (array_agg(found.tx::text ORDER BY found.tx, found.seq))[1], (array_agg(found.seq ORDER BY found.tx, found.seq))[1],
    (array_agg(found.tx::text ORDER BY found.tx DESC, found.seq DESC))[1]::xid8,
    (array_agg(found.seq ORDER BY found.tx DESC, found.seq DESC))[1], max(found.at)
  FROM seals LEFT JOIN seals AS before ON before.number = seals.number - 1
    CROSS JOIN LATERAL (
      SELECT changes.writer, changes.tx, changes.seq, changes.at FROM changes
      WHERE (changes.tx, changes.seq) > (coalesce(before.tx, '0')::xid8, coalesce(before.seq, 0))
        AND (changes.tx, changes.seq) <= (seals.tx::xid8, seals.seq)) AS found
  WHERE seals.pruned = 0 GROUP BY seals.number, found.writer;
DROP INDEX changes_writer;
