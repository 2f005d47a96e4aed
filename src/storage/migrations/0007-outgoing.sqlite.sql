-- Mail that waits, and what became of it. message: what is to be sent, encrypted, gone once it is sent or given up;
-- absent for a mail of a batch, which is composed when its turn comes.
CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  -- The object of the collection mailer; empty for mail of the service itself.
  mailer TEXT NOT NULL,
  batch TEXT,
  -- The object that a mail of a batch is about.
  collection TEXT,
  object_id TEXT,
  override_to TEXT,
  sent_to TEXT NOT NULL,
  message TEXT,
  -- queued, sent, failed, skipped
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  created TEXT NOT NULL,
  scheduled_at TEXT,
  finished TEXT
) STRICT;
CREATE UNIQUE INDEX mails_batch ON mails (batch, collection, object_id) WHERE batch IS NOT NULL;
CREATE INDEX mails_object ON mails (mailer, collection, object_id);
CREATE INDEX mails_created ON mails (created);

-- Mails to the objects of a collection. total: how many there were when it was asked for.
CREATE TABLE mail_batches (
  id TEXT PRIMARY KEY,
  mailer TEXT NOT NULL,
  collection TEXT NOT NULL,
  total INTEGER NOT NULL,
  is_cancelled INTEGER NOT NULL DEFAULT 0,
  created TEXT NOT NULL
) STRICT;

-- Where events are told. The secrets are encrypted under the site key; the previous one signs too until it ends.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  url TEXT NOT NULL,
  -- JSON arrays; no collections: all.
  events TEXT NOT NULL,
  collections TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until TEXT,
  -- Since when no delivery has succeeded.
  failing_since TEXT,
  -- Why the service has switched it off.
  disabled_reason TEXT,
  created TEXT NOT NULL,
  updated TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  webhook TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event TEXT NOT NULL,
  -- The body as it is sent, the same at each attempt.
  body TEXT NOT NULL,
  -- queued, delivered, failed
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  created TEXT NOT NULL,
  next_attempt TEXT,
  finished TEXT,
  -- Of the last attempt.
  response_status INTEGER,
  response TEXT,
  duration_ms INTEGER,
  error TEXT
) STRICT;
CREATE INDEX webhook_deliveries_created ON webhook_deliveries (webhook, created);

-- What data views have worked out, apart from the objects that define them: a rebuild is no edit.
CREATE TABLE view_results (
  id TEXT PRIMARY KEY,
  -- JSON text of the last good result.
  data TEXT,
  hash TEXT,
  built TEXT,
  duration_ms INTEGER,
  -- Of the last build; null when it succeeded.
  error TEXT,
  tried TEXT NOT NULL
) STRICT;
