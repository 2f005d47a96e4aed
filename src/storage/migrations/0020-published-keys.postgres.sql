-- Keys that see no drafts.
ALTER TABLE api_keys ADD COLUMN published INTEGER NOT NULL DEFAULT 0;
