-- Up to this place the contents of records were taken out, because they were too old.
ALTER TABLE change_log ADD COLUMN emptied_tx TEXT NOT NULL DEFAULT '0';
ALTER TABLE change_log ADD COLUMN emptied_seq INTEGER NOT NULL DEFAULT 0;
