-- Words in the full-text index carry the mark of their collection. Those of existing objects are rebuilt in the
-- background, one collection after the other; until then they are found as they are.
ALTER TABLE collections ADD COLUMN words INTEGER NOT NULL DEFAULT 0;
