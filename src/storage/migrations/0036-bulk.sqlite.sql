-- The objects that a job for a bulk change has still to change, chosen when it was accepted. The change of an object
-- takes its row; a row with a failure stays until the job's result holds it.
CREATE TABLE bulk_targets (
  job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  -- JSON.
  failure TEXT,
  PRIMARY KEY (job, id)
) STRICT, WITHOUT ROWID;
