-- Finds values that have expired.
CREATE INDEX extension_store_expires ON extension_store (expires) WHERE expires IS NOT NULL;
