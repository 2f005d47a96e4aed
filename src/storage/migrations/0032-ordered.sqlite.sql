-- The sessions of a user and the ended jobs of a subject are listed in the order of an index, and never sorted.
CREATE INDEX sessions_listed ON sessions (user_id, last_seen);
DROP INDEX sessions_user;
CREATE INDEX jobs_ended ON jobs (kind, subject, finished, seq) WHERE finished IS NOT NULL;
