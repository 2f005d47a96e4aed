-- What operators decided about extensions. Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE extensions (
  id TEXT PRIMARY KEY,
  enabled INTEGER NOT NULL,
  -- JSON: names of capabilities that are switched off.
  switched_off TEXT NOT NULL,
  -- JSON: the approved capabilities, and for packages and uploads the version; null: nothing was approved.
  approved TEXT,
  -- JSON by key; secrets are encrypted under the site key.
  settings TEXT NOT NULL,
  error TEXT,
  quarantined INTEGER NOT NULL,
  -- JSON: last known field kinds, so that values outlive the code.
  kinds TEXT NOT NULL,
  updated TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What extensions keep for themselves.
CREATE TABLE extension_store (
  extension TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  size INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  -- Null: for good.
  expires TEXT,
  PRIMARY KEY (extension, key)
) STRICT, WITHOUT ROWID;

-- How much each keeps.
CREATE TABLE extension_sizes (
  extension TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last lines and crashes of each extension.
CREATE TABLE extension_log (
  id INTEGER PRIMARY KEY,
  extension TEXT NOT NULL,
  at TEXT NOT NULL,
  level TEXT NOT NULL,
  text TEXT NOT NULL,
  data TEXT NOT NULL,
  crash INTEGER NOT NULL
) STRICT;
CREATE INDEX extension_log_extension ON extension_log (extension, id);
