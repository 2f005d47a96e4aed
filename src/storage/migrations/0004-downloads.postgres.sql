-- How often the files of an object were fetched. Apart from the object: counting is no edit.
CREATE TABLE downloads (
  rid BIGINT NOT NULL REFERENCES objects (rid) ON DELETE CASCADE,
  -- From the property on: `file`, `depot/folder/name.pdf`.
  place TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (rid, place)
);
