// What changed between two texts, by lines; of long runs without a change only the ends. Pure.

import { diffOf } from "./word-diff.ts";

export type DiffLine =
  | { kind: "same" | "added" | "removed"; text: string; line: number }
  /** So many lines without a change. */
  | { kind: "skipped"; count: number; line: number };

/** Lines shown before and after a change. */
const around = 3;

/** `line` counts in the new text, of removed ones in the old text. Lines that were removed stand before those added in their place. */
export function lineDiff(before: string, after: string): DiffLine[] {
  let [old, now] = [0, 0];
  const lines = ordered(diffOf(before.split("\n"), after.split("\n"))).map(({ kind, text }): DiffLine => {
    if (kind !== "added") old += 1;
    if (kind !== "removed") now += 1;
    return { kind, text, line: kind === "removed" ? old : now };
  });
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - around), at + around + 1).some(isChange));
  return lines.flatMap((line, at): DiffLine[] => {
    if (isNear[at]) return [line];
    if (at > 0 && !isNear[at - 1]) return [];
    const next = isNear.indexOf(true, at);
    return [{ kind: "skipped", count: (next === -1 ? lines.length : next) - at, line: line.line }];
  });
}

function isChange({ kind }: DiffLine): boolean {
  return kind === "added" || kind === "removed";
}

function ordered<P extends { kind: string }>(parts: readonly P[]): P[] {
  const found: P[] = [];
  const added: P[] = [];
  for (const part of parts) {
    if (part.kind === "added") added.push(part);
    else {
      if (part.kind === "same") found.push(...added.splice(0));
      found.push(part);
    }
  }
  return [...found, ...added];
}
