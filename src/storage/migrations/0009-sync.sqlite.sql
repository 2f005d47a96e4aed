-- Files that belong to a committed import: written in its transaction, gone once they lie on disk.
CREATE TABLE pending_files (
  -- Never given out twice, so that nobody takes away the row of another.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  -- What the file is of: the id of a schema or template, or the place of a snapshot.
  place TEXT NOT NULL,
  content TEXT NOT NULL,
  -- When the content was saved, or the snapshot was taken.
  stamped TEXT NOT NULL
) STRICT;
