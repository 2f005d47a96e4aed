-- The id of the log, which a restored backup renews; and the place up to which records were removed. One row.
CREATE TABLE change_log (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL,
  tx TEXT NOT NULL,
  seq INTEGER NOT NULL
) STRICT;
INSERT INTO change_log (one, id, tx, seq) VALUES (1, lower(hex(randomblob(8))), '0', 0);

-- Stands in the place of content that was taken out: its hash, so that the record can still be verified; and after a point
-- the hash of what was left of it.
ALTER TABLE changes ADD COLUMN content_hash TEXT;

-- Ranges of the log in the order of commits, each sealed by hashes under a key. tx, seq: the last record. marks: a part of
-- the hash of each record, to find the one that was altered. at: milliseconds.
CREATE TABLE seals (
  number INTEGER PRIMARY KEY,
  tx TEXT NOT NULL,
  seq INTEGER NOT NULL,
  records INTEGER NOT NULL,
  range_hash TEXT NOT NULL,
  root TEXT NOT NULL,
  at INTEGER NOT NULL,
  newest INTEGER NOT NULL,
  pruned INTEGER NOT NULL DEFAULT 0,
  marks TEXT NOT NULL
) STRICT;
