-- Events that reactions of extensions have not seen yet, in the order of their writes.
CREATE TABLE extension_events (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  extension TEXT COLLATE "C" NOT NULL,
  reaction TEXT COLLATE "C" NOT NULL,
  -- What it is about: events of one subject are seen in order.
  subject TEXT COLLATE "C" NOT NULL,
  -- JSON.
  event TEXT NOT NULL,
  -- Number of automations and extensions in the chain before it.
  depth INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  -- Not before this moment.
  run_at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX extension_events_next ON extension_events (extension, seq);
CREATE INDEX extension_events_subject ON extension_events (extension, reaction, subject, seq);
