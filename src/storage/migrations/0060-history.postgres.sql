-- The authors of changes: each combination of caller, door and run once, so that a change costs one number.
CREATE TABLE writers (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mark TEXT COLLATE "C" NOT NULL UNIQUE,
  actor TEXT NOT NULL,
  user_id TEXT,
  impersonator TEXT,
  key_id TEXT,
  key_name TEXT,
  client_id TEXT,
  client_name TEXT,
  grant_id TEXT,
  automation TEXT,
  door TEXT NOT NULL,
  run TEXT,
  first BIGINT NOT NULL
);
CREATE INDEX writers_user ON writers (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX writers_key ON writers (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX writers_grant ON writers (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX writers_run ON writers (run) WHERE run IS NOT NULL;

-- The log of changes. `at`: milliseconds. `kind`: 1 create, 2 update, 3 delete, 4 publish, 5 unpublish, 6 restore, 7 undo,
-- 8 collection. `flags`: 1 hidden before, 2 hidden after. `props`: JSON list of names. `content`: what stood there before.
-- Commits come in the order of (tx, seq). Nothing refers from here to other tables: history outlives them.
CREATE TABLE changes (
  seq BIGINT GENERATED ALWAYS AS IDENTITY,
  tx XID8 NOT NULL DEFAULT pg_current_xact_id(),
  at BIGINT NOT NULL,
  rid BIGINT NOT NULL,
  rev BIGINT NOT NULL,
  kind SMALLINT NOT NULL,
  flags SMALLINT NOT NULL,
  writer BIGINT NOT NULL,
  approver BIGINT,
  proposal TEXT,
  collection TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  layer TEXT,
  note TEXT,
  props TEXT,
  secrets TEXT,
  content TEXT,
  PRIMARY KEY (tx, seq)
);
CREATE INDEX changes_object ON changes (rid, seq);
CREATE INDEX changes_writer ON changes (writer, seq);
CREATE INDEX changes_deleted ON changes (collection, id, seq) WHERE kind IN (3, 8);
