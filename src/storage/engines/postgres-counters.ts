// The counters of collections on PostgreSQL. A row that every writer of a collection changes would make them wait for each
// other, to the end of each commit. So they append to `counts`, and that is added to the rows later (decision 018).

import type { CounterDialect } from "#storage/port.ts";

/** The rest of a collection's counter that is not in its row, in the statement that reads the row: both are of one moment. */
const rest = (value: string) => `coalesce((SELECT ${value} FROM counts WHERE collection = collections.id), 0)`;
const lastAt = "(SELECT at FROM counts WHERE collection = collections.id ORDER BY n DESC LIMIT 1)";

/** Without such a collection the value is missing, which the table refuses: the transaction fails. */
const collectionThere = "(SELECT id FROM collections WHERE id = ? AND is_deleting = 0)";
const append = `INSERT INTO counts (collection, created, total, at) VALUES (${collectionThere}, ?, ?, ?)`;

export const postgresCounters: CounterDialect = {
  count: `(count + ${rest("sum(created)")})`,
  totalObjects: `(total_objects + ${rest("sum(total)")})`,
  writes: `(writes + ${rest("count(*)")})`,
  lastUpdated: `coalesce(${lastAt}, last_updated)`,
  appended: {
    append,
    // Matches nothing, and locks nothing, unless the collection is indexed under another revision.
    appendAfterWrite: `WITH behind AS (
      UPDATE collections SET indexed_rev = '' WHERE id = ? AND indexed_rev <> ? AND indexed_rev <> ?) ${append}`,
    list: "SELECT DISTINCT collection AS id FROM counts",
    fold: `WITH gone AS (DELETE FROM counts WHERE collection = ? RETURNING n, created, total, at),
      sums AS (
        SELECT coalesce(sum(created), 0) AS created, coalesce(sum(total), 0) AS total, count(*) AS writes,
          (SELECT at FROM gone ORDER BY n DESC LIMIT 1) AS at FROM gone),
      added AS (
        UPDATE collections SET count = count + sums.created, total_objects = total_objects + sums.total,
          writes = collections.writes + sums.writes, last_updated = sums.at
        FROM sums WHERE id = ? AND sums.writes > 0)
      SELECT count + sums.created AS count, total_objects + sums.total AS "totalObjects",
        coalesce(sums.at, last_updated) AS "lastUpdated" FROM collections, sums WHERE id = ?`,
    lockFree: "SELECT id FROM collections WHERE id = ? FOR NO KEY UPDATE SKIP LOCKED",
    lockAll: "LOCK TABLE counts IN SHARE ROW EXCLUSIVE MODE",
    forget: "DELETE FROM counts WHERE collection = ?",
  },
};
