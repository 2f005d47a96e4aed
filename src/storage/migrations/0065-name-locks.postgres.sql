-- Names that one transaction at a time has: the row is locked until it ends. Rows that were not used for an hour are deleted.
CREATE TABLE name_locks (
  name TEXT COLLATE "C" PRIMARY KEY,
  used TIMESTAMPTZ NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
