-- The shipped group that a saved group stands for, where the id alone does not say it: a site may have had a group `member` before
-- the shipped one came, which then has the next free id.
ALTER TABLE access_groups ADD COLUMN ships TEXT NOT NULL DEFAULT '';
WITH RECURSIVE tried (n) AS (
  SELECT 2 UNION ALL SELECT n + 1 FROM tried WHERE EXISTS (SELECT 1 FROM access_groups WHERE id = 'member-' || n)
)
INSERT INTO access_groups (id, description, permissions, updated, ships)
SELECT 'member-' || max(n), 'People who register', '{}', '2026-11-19T00:00:00.000Z', 'member' FROM tried
HAVING EXISTS (SELECT 1 FROM access_groups WHERE id = 'member');
