-- The trash: deletions that still have their content, all of them and those of a collection, newest first.
CREATE INDEX changes_trash ON changes (seq) WHERE kind IN (3, 8) AND content IS NOT NULL;
CREATE INDEX changes_trash_of ON changes (collection, seq) WHERE kind IN (3, 8) AND content IS NOT NULL;
