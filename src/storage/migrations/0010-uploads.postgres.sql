-- Uploads that come in parts: which have arrived, whichever machine took them. The bytes lie with the files.
CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  -- Fixed by the first part.
  total INTEGER NOT NULL,
  -- When the last part came.
  touched TEXT NOT NULL
);

CREATE TABLE upload_parts (
  upload TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  -- Of its bytes; another one each time that the part comes.
  name TEXT NOT NULL,
  size BIGINT NOT NULL,
  PRIMARY KEY (upload, number)
);

-- What one process has for itself for a moment: an upload that it puts together, the files of an object.
CREATE TABLE holds (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  -- After this it is anybody's.
  lease_until TEXT NOT NULL
);
