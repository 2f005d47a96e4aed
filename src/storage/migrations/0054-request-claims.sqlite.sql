-- Requests with an Idempotency-Key: under way, carried out, or answered. Times are milliseconds since 1970.
CREATE TABLE request_claims (
  -- A hash of caller, route and key.
  name TEXT PRIMARY KEY,
  -- Of the body.
  digest TEXT NOT NULL,
  -- The request that carries it out.
  owner TEXT NOT NULL,
  -- 1 from the commit of its first write on, 2 when it was answered.
  written INTEGER NOT NULL DEFAULT 0,
  -- Encrypted; NULL as long as there is none, or when it was too large.
  answer TEXT,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX request_claims_expires ON request_claims (expires);
