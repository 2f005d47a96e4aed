-- What users of the admin have chosen: theme, columns, own views. Of the user with this number, which is never used again.
CREATE TABLE preferences (
  user_rid BIGINT PRIMARY KEY,
  user_id TEXT NOT NULL,
  -- A JSON object.
  value TEXT NOT NULL,
  updated TEXT NOT NULL
);
CREATE INDEX preferences_user ON preferences (user_id);

-- Counted for the start page. The status is in the index so that they are found by it.
CREATE INDEX jobs_failed ON jobs (status) WHERE status = 'failed';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (status) WHERE status = 'failed';
