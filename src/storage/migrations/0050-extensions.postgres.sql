-- What operators decided about extensions. Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE extensions (
  id TEXT COLLATE "C" PRIMARY KEY,
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
  updated TEXT COLLATE "C" NOT NULL
);

-- What extensions keep for themselves.
CREATE TABLE extension_store (
  extension TEXT COLLATE "C" NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value TEXT NOT NULL,
  size INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  -- Null: for good.
  expires TEXT COLLATE "C",
  PRIMARY KEY (extension, key)
);

-- How much each keeps.
CREATE TABLE extension_sizes (
  extension TEXT COLLATE "C" PRIMARY KEY,
  bytes BIGINT NOT NULL
);

-- The last lines and crashes of each extension.
CREATE TABLE extension_log (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  extension TEXT COLLATE "C" NOT NULL,
  at TEXT COLLATE "C" NOT NULL,
  level TEXT NOT NULL,
  text TEXT NOT NULL,
  data TEXT NOT NULL,
  crash INTEGER NOT NULL
);
CREATE INDEX extension_log_extension ON extension_log (extension, id);
