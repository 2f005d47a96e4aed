// What changed between two texts, by words. Pure. Long texts that have little in common are shown as replaced as a whole.

export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Steps of the search; more would take longer than a person waits. */
const maxSteps = 200;

export function wordDiff(before: string, after: string): DiffPart[] {
  return joined(diffOf(wordsOf(before), wordsOf(after)));
}

/** One part for each piece. */
export function diffOf(a: readonly string[], b: readonly string[]): DiffPart[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const inside = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [
    ...a.slice(0, start).map((text) => ({ kind: "same" as const, text })),
    ...inside,
    ...a.slice(a.length - end).map((text) => ({ kind: "same" as const, text })),
  ];
}

/** Words, runs of space, and single signs. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? [];
}

/** The shortest way from one to the other (Myers). */
function compare(a: readonly string[], b: readonly string[]): DiffPart[] {
  const replaced = (): DiffPart[] => [
    ...a.map((text) => ({ kind: "removed" as const, text })),
    ...b.map((text) => ({ kind: "added" as const, text })),
  ];
  if (a.length === 0 || b.length === 0) return replaced();
  const most = Math.min(a.length + b.length, maxSteps);
  const reached = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let steps = 0; steps <= most; steps++) {
    trace.push(new Map(reached));
    for (let k = -steps; k <= steps; k += 2) {
      let x = isDown(reached, k, steps) ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reached.set(k, x);
      if (x >= a.length && x - k >= b.length) return wayBack(a, b, trace);
    }
  }
  return replaced();
}

function isDown(reached: ReadonlyMap<number, number>, k: number, steps: number): boolean {
  return k === -steps || (k !== steps && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));
}

function wayBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): DiffPart[] {
  const parts: DiffPart[] = [];
  let x = a.length;
  let y = b.length;
  for (let steps = trace.length - 1; steps >= 0; steps--) {
    const reached = trace[steps] as ReadonlyMap<number, number>;
    const k = x - y;
    const from = isDown(reached, k, steps) ? k + 1 : k - 1;
    const fromX = reached.get(from) ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      parts.push({ kind: "same", text: a[--x] as string });
      y--;
    }
    if (steps === 0) break;
    if (x === fromX) parts.push({ kind: "added", text: b[--y] as string });
    else parts.push({ kind: "removed", text: a[--x] as string });
  }
  return parts.reverse();
}

/** Neighbours of a kind are one part; of a change what was removed comes first. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const found: DiffPart[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed !== "") found.push({ kind: "removed", text: removed });
    if (added !== "") found.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  parts.forEach(({ kind, text }, at) => {
    // Space between two changed words belongs to the change: it reads better than a row of single words.
    const isBetween = kind === "same" && text.trim() === "" && removed + added !== "" && parts[at + 1]?.kind !== "same";
    if (kind === "removed" || (isBetween && at < parts.length - 1)) removed += text;
    if (kind === "added" || (isBetween && at < parts.length - 1)) added += text;
    if (kind !== "same" || (isBetween && at < parts.length - 1)) return;
    flush();
    const last = found.at(-1);
    if (last?.kind === "same") last.text += text;
    else found.push({ kind: "same", text });
  });
  flush();
  return found;
}
