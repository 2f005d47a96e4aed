-- Lists of what grows are read in the order of an index, and never sorted.
CREATE INDEX jobs_listed ON jobs (kind, seq);
-- Without it the order of kinds would be looked for among all jobs.
CREATE INDEX jobs_running_kinds ON jobs (kind) WHERE status = 'running';
CREATE INDEX mails_listed ON mails (created DESC, id);
CREATE INDEX mails_of_mailer ON mails (mailer, created DESC, id);
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook, created DESC, id);
DROP INDEX mails_created;
DROP INDEX webhook_deliveries_created;
