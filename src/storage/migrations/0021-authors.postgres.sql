-- Who last saved code that the service runs later. digest: of that code, so that no other code runs in this name.
CREATE TABLE code_authors (
  collection TEXT NOT NULL,
  object_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  -- JSON: kind, and what it takes to find the same one again.
  author TEXT NOT NULL,
  PRIMARY KEY (collection, object_id)
);

-- Results from before authors were known were built with all rights: they may hold what their readers may not see.
DELETE FROM view_results;

-- Who sent a mail or a batch (JSON, as above), and the texts of the batch as they were accepted, encrypted.
ALTER TABLE mails ADD COLUMN author TEXT;
ALTER TABLE mail_batches ADD COLUMN author TEXT;
ALTER TABLE mail_batches ADD COLUMN sealed TEXT;
