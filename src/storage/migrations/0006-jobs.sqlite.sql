-- The durable queue. A running job belongs to its owner until the lease ends; then whoever comes first takes it over.
-- Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  -- At most one queued job of a kind has this key, and at most one runs at a time.
  key TEXT,
  -- What the job is about: for a run, its automation.
  subject TEXT NOT NULL,
  payload TEXT NOT NULL,
  -- queued, running, succeeded, failed
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  run_at TEXT NOT NULL,
  created TEXT NOT NULL,
  started TEXT,
  finished TEXT,
  owner TEXT,
  lease_until TEXT,
  done INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  result TEXT,
  error TEXT,
  log TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX jobs_key ON jobs (kind, key) WHERE status = 'queued' AND key IS NOT NULL;
CREATE INDEX jobs_due ON jobs (kind, run_at, seq) WHERE status = 'queued';
CREATE INDEX jobs_running ON jobs (lease_until) WHERE status = 'running';
CREATE INDEX jobs_finished ON jobs (finished) WHERE finished IS NOT NULL;
CREATE INDEX jobs_subject ON jobs (kind, subject, seq);
CREATE INDEX jobs_waiting ON jobs (kind, subject) WHERE status = 'queued';

-- The last moment at which a schedule was due and has fired, so that it fires once over all processes.
CREATE TABLE schedule_slots (
  automation TEXT NOT NULL,
  trigger_id TEXT NOT NULL,
  slot TEXT NOT NULL,
  PRIMARY KEY (automation, trigger_id)
) WITHOUT ROWID;
