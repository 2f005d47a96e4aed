-- Which objects point to which, by the relations of their schemas. Made from the documents: objects of a schema with relations
-- are rebuilt in the background, as after a change of the schema.
CREATE TABLE object_references (
  collection TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  property TEXT COLLATE "C" NOT NULL,
  target_collection TEXT COLLATE "C" NOT NULL,
  target_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (collection, id, property, target_collection, target_id)
);
CREATE INDEX object_references_target ON object_references (target_collection, target_id, collection, id, property);
