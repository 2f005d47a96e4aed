-- Addresses of the website that lead elsewhere. Times are UTC, YYYY-MM-DDTHH:MM:SS.sssZ.
CREATE TABLE redirects (
  id TEXT COLLATE "C" PRIMARY KEY NOT NULL,
  -- Decoded, without a slash at the end; with /* at its end where it stands for all below.
  source TEXT COLLATE "C" NOT NULL UNIQUE,
  -- Empty for status 410.
  target TEXT COLLATE "C" NOT NULL,
  -- The target spelled as sources are, where it is a bare path of this site.
  target_path TEXT COLLATE "C",
  status INTEGER NOT NULL,
  -- manual, import or moved.
  origin TEXT COLLATE "C" NOT NULL,
  hits BIGINT NOT NULL DEFAULT 0,
  last TEXT COLLATE "C",
  created TEXT COLLATE "C" NOT NULL,
  updated TEXT COLLATE "C" NOT NULL
);
CREATE INDEX redirects_targets ON redirects (target_path);
