-- When somebody cancelled the job. A running one stops at its next step, so its process looks here.
ALTER TABLE jobs ADD COLUMN cancelled TEXT;
CREATE INDEX jobs_cancelled ON jobs (owner) WHERE status = 'running' AND cancelled IS NOT NULL;
