-- JSON by id: last known schemas of an extension, so that objects outlive the code.
ALTER TABLE extensions ADD COLUMN schemas TEXT NOT NULL DEFAULT '{}';
