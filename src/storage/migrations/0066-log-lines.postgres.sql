-- Lines of the logs of all nodes: sign-ins and changes of rights, the OAuth server, calls over MCP. Old ones are deleted by their age.
-- seq: in the order of commits. at: UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE log_lines (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  log TEXT COLLATE "C" NOT NULL,
  at TEXT COLLATE "C" NOT NULL,
  line TEXT NOT NULL
);
CREATE INDEX log_lines_at ON log_lines (log, at, seq);
