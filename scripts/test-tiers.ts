// Which test files `npm test` runs: the core, then as many others as fit its budget, those that use the processors least first.
// So the choice follows the times of the files (`test-times.json`) while the suite grows. `npm run test:all` runs everything.

import { type Part, pick } from "./test-parts.ts";
import { type Times, timeOf } from "./test-times.ts";

/**
 * Seconds of the processors for the files. The database servers and the run itself take some 220 more: less than 900 in all, which
 * two cores have in eight minutes.
 */
export const budget = 640;

/** Parts and files that every run has, whatever they cost: a mistake there harms users most. */
const coreParts = new Set(["unit", "storage"]);
const coreFiles: Record<string, readonly string[]> = {
  sqlite: [
    "tests/faults/kill.test.ts",
    "tests/faults/lost-updates.test.ts",
    "tests/faults/create-race.test.ts",
    "tests/http/access/matrix.test.ts",
    "tests/admin/smoke.test.ts",
  ],
  postgres: [
    "tests/faults/lost-updates.test.ts",
    "tests/faults/create-race.test.ts",
    "tests/http/content/objects.test.ts",
    "tests/http/content/lists.test.ts",
    "tests/http/access/keys.test.ts",
    "tests/admin/smoke.test.ts",
  ],
};

export function isCore({ name, engine }: Part, file: string): boolean {
  return coreParts.has(name) || (engine !== undefined && coreFiles[engine]?.includes(file) === true);
}

export interface Tiers {
  first: Part[];
  /** Everything else. */
  rest: Part[];
}

/** Each part is divided; a part without files is in neither. */
export function divide(parts: readonly Part[], times: Times, limit = budget): Tiers {
  const all = parts.flatMap((part) =>
    part.files.map((file) => ({ part, file, cost: timeOf(times, part, file).processor, isCore: isCore(part, file) })),
  );
  all.sort((a, b) => Number(b.isCore) - Number(a.isCore) || a.cost - b.cost);
  const first = new Map<Part, Set<string>>(parts.map((part) => [part, new Set()]));
  let used = 0;
  for (const { part, file, cost, isCore } of all) {
    used += cost;
    if (isCore || used <= limit) first.get(part)?.add(file);
  }
  const isFirst = (part: Part, file: string) => first.get(part)?.has(file) === true;
  return { first: pick(parts, isFirst), rest: pick(parts, (part, file) => !isFirst(part, file)) };
}
