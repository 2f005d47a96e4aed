-- Who has an object open, and since when: one row for each user, renewed every few seconds. Times are UTC,
-- YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE presence (
  collection TEXT NOT NULL,
  object TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- 1: with changes that are not saved.
  editing INTEGER NOT NULL,
  since TEXT NOT NULL,
  seen TEXT NOT NULL,
  PRIMARY KEY (collection, object, user_id)
) STRICT, WITHOUT ROWID;
