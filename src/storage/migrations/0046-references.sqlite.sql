-- Which objects point to which, by the relations of their schemas. Made from the documents: objects of a schema with relations
-- are rebuilt in the background, as after a change of the schema.
CREATE TABLE object_references (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  property TEXT NOT NULL,
  target_collection TEXT NOT NULL,
  target_id TEXT NOT NULL,
  PRIMARY KEY (collection, id, property, target_collection, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX object_references_target ON object_references (target_collection, target_id, collection, id, property);
