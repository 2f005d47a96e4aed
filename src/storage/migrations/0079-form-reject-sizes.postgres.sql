-- The bytes that the rejected sendings of a form take, each and in all: a form keeps only so many.
ALTER TABLE form_rejects ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
UPDATE form_rejects SET size = octet_length(content) + 200;
CREATE TABLE form_reject_sizes (
  form TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  bytes BIGINT NOT NULL
);
INSERT INTO form_reject_sizes (form, bytes) SELECT form, sum(size) FROM form_rejects GROUP BY form;
