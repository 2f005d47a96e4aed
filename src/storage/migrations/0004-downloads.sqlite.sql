-- How often the files of an object were fetched. Apart from the object: counting is no edit.
CREATE TABLE downloads (
  rid INTEGER NOT NULL REFERENCES objects (rid) ON DELETE CASCADE,
  -- From the property on: `file`, `depot/folder/name.pdf`.
  place TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (rid, place)
) WITHOUT ROWID;
