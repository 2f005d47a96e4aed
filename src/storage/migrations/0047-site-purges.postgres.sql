-- What a CDN must drop, until it is announced: the tags of one transaction, as a JSON list.
CREATE TABLE site_purges (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tags TEXT NOT NULL
);
