-- Segments of the full-text index are merged by eights, not by fours: writers rewrite the same words less often.
INSERT INTO object_fts (object_fts, rank) VALUES ('automerge', 8);
