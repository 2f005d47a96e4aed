-- Answers of MCP clients to questions of a server process, while they wait for that process to take them.
CREATE TABLE mcp_answers (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The process that asked.
  asker TEXT COLLATE "C" NOT NULL,
  -- The hash of the session's id.
  session TEXT COLLATE "C" NOT NULL,
  message TEXT NOT NULL,
  created TEXT COLLATE "C" NOT NULL
);
CREATE INDEX mcp_answers_asker ON mcp_answers (asker);
