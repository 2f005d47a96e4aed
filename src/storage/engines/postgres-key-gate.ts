// For test runs: a statement that finds objects by `rid` names their collection as well, so that the tables could be divided by it
// (decision 047).

import { appendFileSync } from "node:fs";

const tables = /\b(objects|object_index)\b/;
const byNumber = /\brid (=|IN)/;
const joins = /\bJOIN (?:objects|object_index)\b(?: AS \w+)? ON (\S+ = \S+)( AND \S*collection = )?/g;

/** Set by a test run: the file for the findings, which the run reports. */
const found = process.env.CAIRN_PLANS_FILE;

/** To be called with each new statement; nothing outside of test runs. */
export const keyGate = found
  ? (sql: string) => {
      const problem = findPartialKey(sql);
      if (problem !== undefined) appendFileSync(found, `STO-126 ${problem}\n`);
    }
  : undefined;

/** The statement, when a table of objects is searched or joined by a part of its key alone. */
export function findPartialKey(sql: string): string | undefined {
  const text = sql.replace(/\s+/g, " ");
  if (!tables.test(text) || !byNumber.test(text)) return undefined;
  const isSearched = text.includes("FROM object_fts JOIN object_index");
  const isPart =
    !/\bcollection\b/.test(text) ||
    (!isSearched && [...text.matchAll(joins)].some(([, , named]) => named === undefined));
  return isPart ? text : undefined;
}
