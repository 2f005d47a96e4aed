-- Own headers of a webhook: a JSON array of names with encrypted values.
ALTER TABLE webhooks ADD COLUMN headers TEXT NOT NULL DEFAULT '[]';
