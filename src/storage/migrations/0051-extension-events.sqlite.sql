-- Events that reactions of extensions have not seen yet, in the order of their writes.
CREATE TABLE extension_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  extension TEXT NOT NULL,
  reaction TEXT NOT NULL,
  -- What it is about: events of one subject are seen in order.
  subject TEXT NOT NULL,
  -- JSON.
  event TEXT NOT NULL,
  -- Number of automations and extensions in the chain before it.
  depth INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  -- Not before this moment.
  run_at TEXT NOT NULL
) STRICT;
CREATE INDEX extension_events_next ON extension_events (extension, seq);
CREATE INDEX extension_events_subject ON extension_events (extension, reaction, subject, seq);
