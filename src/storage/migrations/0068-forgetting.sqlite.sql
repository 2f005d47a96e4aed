-- A user is found where it acted for somebody else, too.
CREATE INDEX writers_impersonator ON writers (impersonator) WHERE impersonator IS NOT NULL;
