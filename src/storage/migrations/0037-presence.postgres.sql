-- Who has an object open, and since when: one row for each user, renewed every few seconds. Times are UTC,
-- YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE presence (
  collection TEXT COLLATE "C" NOT NULL,
  object TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C" NOT NULL,
  name TEXT NOT NULL,
  -- 1: with changes that are not saved.
  editing INTEGER NOT NULL,
  since TEXT COLLATE "C" NOT NULL,
  seen TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (collection, object, user_id)
);
