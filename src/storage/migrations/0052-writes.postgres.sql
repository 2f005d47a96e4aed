-- Changes of a collection's counters that are not added to its row yet. Writers append here, so that they do not wait for each
-- other; one process adds them up. Exact counters are the row and these.
CREATE TABLE counts (
  collection TEXT COLLATE "C" NOT NULL,
  n BIGINT GENERATED ALWAYS AS IDENTITY,
  created INTEGER NOT NULL,
  total INTEGER NOT NULL,
  -- When the collection was changed.
  at TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (collection, n)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- How many changes there were.
ALTER TABLE collections ADD COLUMN writes BIGINT NOT NULL DEFAULT 0;

-- What transactions have changed, for five minutes: processes ask which rows became visible since they last asked.
-- sender: the process, which knows its own changes.
CREATE TABLE touched (
  tx XID8 NOT NULL DEFAULT pg_current_xact_id(),
  sender TEXT NOT NULL,
  scope TEXT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
CREATE INDEX touched_tx ON touched (tx);
