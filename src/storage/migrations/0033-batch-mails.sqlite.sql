-- The mails of a batch are listed in the order of an index, and never sorted.
CREATE INDEX mails_of_batch ON mails (batch, created DESC, id) WHERE batch IS NOT NULL;
