-- Sessions: only the hash of the cookie's value. user_rid and password_mark tie it to the very user and password it
-- began with: a changed password or a new user of the same id ends it without anybody having to look for it.
CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  user_rid INTEGER NOT NULL,
  password_mark TEXT NOT NULL,
  created TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  expires TEXT NOT NULL,
  is_remembered INTEGER NOT NULL,
  impersonator TEXT,
  address TEXT NOT NULL,
  agent TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expires ON sessions (expires);

-- One-time tokens sent by mail: password reset, address verification. Only their hash.
CREATE TABLE account_tokens (
  hash TEXT PRIMARY KEY,
  purpose TEXT NOT NULL,
  user_id TEXT NOT NULL,
  user_rid INTEGER NOT NULL,
  created TEXT NOT NULL,
  expires TEXT NOT NULL
) STRICT;
CREATE INDEX account_tokens_user ON account_tokens (user_id, purpose);

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  user_rid INTEGER NOT NULL,
  public_key TEXT NOT NULL,
  sign_count INTEGER NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created TEXT NOT NULL,
  last_used TEXT
) STRICT;
CREATE INDEX passkeys_user ON passkeys (user_id);

CREATE TABLE access_groups (
  id TEXT PRIMARY KEY,
  description TEXT NOT NULL,
  permissions TEXT NOT NULL,
  updated TEXT NOT NULL
) STRICT;

-- Counts of what is limited, shared by all processes. expires: milliseconds since 1970.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  expires INTEGER NOT NULL
) STRICT;
CREATE INDEX counters_expires ON counters (expires);

-- People sign in by e-mail address.
CREATE INDEX object_index_email ON object_index (json_extract(fold, '$."email"')) WHERE collection = 'auth';
