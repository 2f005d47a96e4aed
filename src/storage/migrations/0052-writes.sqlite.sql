-- How many changes there were of a collection's objects.
ALTER TABLE collections ADD COLUMN writes INTEGER NOT NULL DEFAULT 0;
