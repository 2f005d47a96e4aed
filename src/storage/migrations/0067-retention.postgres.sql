-- How many bytes the contents of sealed records take up.
ALTER TABLE change_log ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE change_log DROP COLUMN emptied_tx;
ALTER TABLE change_log DROP COLUMN emptied_seq;

-- How far each part of the retention has looked through the log, and by which rule.
CREATE TABLE history_walks (
  name TEXT PRIMARY KEY,
  tx TEXT NOT NULL,
  seq BIGINT NOT NULL,
  rule TEXT NOT NULL
);

-- Stands in the place of a note that was erased, and of the names of a writer that became a pseudonym.
ALTER TABLE changes ADD COLUMN note_hash TEXT;
ALTER TABLE writers ADD COLUMN was TEXT;

-- Ranges whose records are still there. All of them are sealed again: a seal now covers the writer, and the note by its hash.
DELETE FROM seals;
CREATE INDEX seals_whole ON seals (number) WHERE pruned = 0;
