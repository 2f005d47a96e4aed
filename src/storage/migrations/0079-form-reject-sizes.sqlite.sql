-- The bytes that the rejected sendings of a form take, each and in all: a form keeps only so many.
ALTER TABLE form_rejects ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
UPDATE form_rejects SET size = length(CAST(content AS BLOB)) + 200;
CREATE TABLE form_reject_sizes (
  form TEXT PRIMARY KEY NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO form_reject_sizes (form, bytes) SELECT form, sum(size) FROM form_rejects GROUP BY form;
