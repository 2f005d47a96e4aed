-- Requests with an Idempotency-Key: under way, carried out, or answered. Times are milliseconds since 1970.
CREATE TABLE request_claims (
  -- A hash of caller, route and key.
  name TEXT COLLATE "C" PRIMARY KEY,
  -- Of the body.
  digest TEXT COLLATE "C" NOT NULL,
  -- The request that carries it out.
  owner TEXT COLLATE "C" NOT NULL,
  -- 1 from the commit of its first write on, 2 when it was answered.
  written INTEGER NOT NULL DEFAULT 0,
  -- Encrypted; NULL as long as there is none, or when it was too large.
  answer TEXT,
  expires BIGINT NOT NULL
);
CREATE INDEX request_claims_expires ON request_claims (expires);
