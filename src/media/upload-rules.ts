// Refuses files that break a rule of their field (rules/upload-rules.ts).

import { fail } from "#base/errors.ts";
import type { JsonObject } from "#contract/json.ts";
import { type CheckedFile, findBrokenCount, findBrokenRule, type UploadRule } from "#rules/upload-rules.ts";

const units = { size: "KB", width: "pixels", height: "pixels", count: "files" } as const;

export function checkRules(settings: JsonObject, file: CheckedFile): void {
  const { size, width = 0, height = 0 } = { size: file.size / 1024, ...file.image };
  const broken = findBrokenRule(settings, file);
  if (broken) refuse(broken, { size, width, height, count: 0 });
}

/** Number of files in a gallery or depot, with the new one. */
export function checkCount(settings: JsonObject, count: number): void {
  const broken = findBrokenCount(settings, count);
  if (broken) refuse(broken, { size: 0, width: 0, height: 0, count });
}

function refuse(broken: UploadRule, facts: Record<keyof typeof units, number>): never {
  const { rule } = broken;
  if ("any" in broken) return fail("invalid", `The file breaks the rule "${rule}": ${broken.any.join(" or ")}.`);
  const isTooSmall = broken.min !== undefined && facts[broken.rule] < broken.min;
  const bound = isTooSmall ? `at least ${broken.min}` : `at most ${broken.max}`;
  return fail("invalid", `The file breaks the rule "${rule}": ${bound} ${units[broken.rule]}.`);
}
