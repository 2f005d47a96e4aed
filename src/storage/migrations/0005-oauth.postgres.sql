-- Applications that ask for tokens. id: a UUID, or the address of the document that describes the client.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- SHA-256 of the secret; a client without one is public.
  secret_hash TEXT,
  origin TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created TEXT NOT NULL,
  last_used TEXT
);

-- What a user has let a client do. A grant that is revoked is gone, and all its codes and tokens with it.
-- user_rid and password_mark tie it to the very user and password it began with, as with sessions.
CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  user_rid BIGINT NOT NULL,
  password_mark TEXT NOT NULL,
  scopes TEXT NOT NULL,
  resource TEXT NOT NULL,
  created TEXT NOT NULL,
  last_used TEXT,
  -- When the last code or refresh token made under it expires.
  expires TEXT NOT NULL
);
CREATE INDEX oauth_grants_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_user ON oauth_grants (user_id);
CREATE INDEX oauth_grants_expires ON oauth_grants (expires);

-- Codes and refresh tokens by their SHA-256. Used ones stay until they expire: using one again is an alarm.
CREATE TABLE oauth_codes (
  hash TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  challenge TEXT,
  expires TEXT NOT NULL,
  used TEXT
);
CREATE INDEX oauth_codes_grant ON oauth_codes (grant_id);

CREATE TABLE oauth_refresh_tokens (
  hash TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  expires TEXT NOT NULL,
  used TEXT
);
CREATE INDEX oauth_refresh_tokens_grant ON oauth_refresh_tokens (grant_id);
CREATE INDEX oauth_refresh_tokens_expires ON oauth_refresh_tokens (expires);
