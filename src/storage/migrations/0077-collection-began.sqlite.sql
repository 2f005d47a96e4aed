-- When a collection was created: what is older belongs to a former one of the same id. Empty: not known, of an earlier version.
ALTER TABLE collections ADD COLUMN began TEXT NOT NULL DEFAULT '';
