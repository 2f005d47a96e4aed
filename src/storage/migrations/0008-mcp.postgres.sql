-- Sessions of MCP clients of the 2025 revisions, by the hash of their id. opening: what the client said of itself, JSON.
-- subscriptions: the addresses of resources it follows, a JSON array.
CREATE TABLE mcp_sessions (
  hash TEXT COLLATE "C" PRIMARY KEY,
  -- Whose session it is: a key, a grant, or nobody's.
  principal TEXT COLLATE "C" NOT NULL,
  opening TEXT NOT NULL,
  subscriptions TEXT NOT NULL,
  created TEXT COLLATE "C" NOT NULL,
  last_seen TEXT COLLATE "C" NOT NULL
);
CREATE INDEX mcp_sessions_seen ON mcp_sessions (last_seen);
CREATE INDEX mcp_sessions_principal ON mcp_sessions (principal, last_seen);
