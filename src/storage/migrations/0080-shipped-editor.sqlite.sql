-- The shipped group `editor` has no switch builder from now on. A site with users, whose `editor` was never saved or deleted, keeps
-- what the group granted before.
INSERT INTO access_groups (id, description, permissions, updated)
SELECT 'editor', 'Writes content', '{"collectionsMeta":{"operations":["read"],"all":true,"allowed":[]},"collections":{"operations":["create","read","update","delete"],"all":true,"allowed":[]},"schemas":{"operations":["read"],"all":true,"allowed":[]},"builder":true,"mailer":true,"playground":false,"dataviews":false,"docs":true,"utils":{"all":false,"allowed":["jumpstart","project-setup","image-batcher"]},"settings":{"all":false,"allowed":[]},"extensions":{"all":false,"allowed":[]}}', '2026-11-19T00:00:00.000Z'
WHERE EXISTS (SELECT 1 FROM objects WHERE collection = 'auth') AND NOT EXISTS (SELECT 1 FROM access_groups WHERE id = 'editor');
