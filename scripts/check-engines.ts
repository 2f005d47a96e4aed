// Warns of rows in the first table of docs/engines.md that are older than the page allows: the tests ran on that engine too long ago.
// It never fails, because a day that passes changes no code.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const longestDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;

/** One warning for each row that has an old date. */
export function findOldRuns(page: string, now: Date): string[] {
  return [...page.matchAll(/^\| ([^|]+) \| (\d{4}-\d\d-\d\d) \|/gm)].flatMap(([, engine, date]) => {
    const days = Math.floor((now.getTime() - Date.parse(date as string)) / dayMs);
    return days > longestDays ? [`${engine}: the tests ran ${days} days ago. Run npm run test:engine again.`] : [];
  });
}

if (import.meta.main) {
  const page = readFileSync(join(import.meta.dirname, "../docs/engines.md"), "utf8");
  for (const warning of findOldRuns(page, new Date())) console.warn(`warning: docs/engines.md: ${warning}`);
}
