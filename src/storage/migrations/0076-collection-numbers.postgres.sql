-- Which objects of the log belong to a collection: ranges of their numbers, as JSON. The others belong to a former collection of the
-- same id. Empty: all of them. A collection that was created after a deleted one begins with the first number behind it. Where objects
-- of the deleted one are in the collection again, the two cannot be told apart, and it stays empty.
ALTER TABLE collections ADD COLUMN numbers TEXT NOT NULL DEFAULT '';
UPDATE collections SET numbers = '[[' || former.last || ',null]]'
  FROM (SELECT d.collection, max(d.rid) AS last FROM changes d
    JOIN (SELECT one.collection, one.seq, one.writer FROM changes one
      WHERE one.id = '' AND one.kind = 8 AND one.kind IN (3, 8) AND NOT EXISTS (SELECT 1 FROM changes other
        WHERE other.collection = one.collection AND other.id = '' AND other.kind = 8 AND other.kind IN (3, 8)
          AND other.seq > one.seq)) AS ended ON ended.collection = d.collection
    WHERE d.kind IN (3, 8) AND (d.seq <= ended.seq OR d.writer = ended.writer)
    GROUP BY d.collection) AS former
  WHERE collections.id = former.collection AND is_deleting = 0
    AND NOT EXISTS (SELECT 1 FROM objects WHERE collection = collections.id AND rid <= former.last);
