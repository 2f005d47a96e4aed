-- Errors of pages and templates of the last days, counted: one row for each error at its place. Times are UTC,
-- YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE site_errors (
  id TEXT PRIMARY KEY,
  -- page: a page could not be made; read: a template asked for what the site may not show.
  kind TEXT NOT NULL,
  template TEXT NOT NULL,
  -- 0: it has no place.
  line INTEGER NOT NULL,
  col INTEGER NOT NULL,
  message TEXT NOT NULL,
  -- Of the last one: the path, the collection whose object the page shows, the id of the request.
  path TEXT NOT NULL,
  collection TEXT NOT NULL,
  request TEXT NOT NULL,
  count INTEGER NOT NULL,
  first TEXT NOT NULL,
  last TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX site_errors_last ON site_errors (last, id);
