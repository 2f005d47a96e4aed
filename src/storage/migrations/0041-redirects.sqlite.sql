-- Addresses of the website that lead elsewhere. Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE redirects (
  id TEXT PRIMARY KEY NOT NULL,
  -- Decoded, without a slash at the end; with /* at its end where it stands for all below.
  source TEXT NOT NULL UNIQUE,
  -- Empty for status 410.
  target TEXT NOT NULL,
  -- The target spelled as sources are, where it is a bare path of this site.
  target_path TEXT,
  status INTEGER NOT NULL,
  -- manual, import or moved.
  origin TEXT NOT NULL,
  hits INTEGER NOT NULL DEFAULT 0,
  last TEXT,
  created TEXT NOT NULL,
  updated TEXT NOT NULL
) STRICT;
CREATE INDEX redirects_targets ON redirects (target_path);
