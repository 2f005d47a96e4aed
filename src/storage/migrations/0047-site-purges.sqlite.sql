-- What a CDN must drop, until it is announced: the tags of one transaction, as a JSON list.
CREATE TABLE site_purges (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  tags TEXT NOT NULL
) STRICT;
