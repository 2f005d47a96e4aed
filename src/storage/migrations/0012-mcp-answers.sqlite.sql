-- Answers of MCP clients to questions of a server process, while they wait for that process to take them.
CREATE TABLE mcp_answers (
  id INTEGER PRIMARY KEY,
  -- The process that asked.
  asker TEXT NOT NULL,
  -- The hash of the session's id.
  session TEXT NOT NULL,
  message TEXT NOT NULL,
  created TEXT NOT NULL
);
CREATE INDEX mcp_answers_asker ON mcp_answers (asker);
