// Names that were probably meant: for errors about unknown ones. Pure.

/** Names that come near, best first: at most three. `limit`: the most letters that differ. */
export function nearNames(name: string, known: Iterable<string>, limit = Number.POSITIVE_INFINITY): string[] {
  const most = Math.min(limit, Math.max(1, Math.ceil(name.length / 3)));
  const near: { name: string; distance: number }[] = [];
  for (const other of known) {
    if (Math.abs(other.length - name.length) > most) continue;
    const distance = editDistance(name.toLowerCase(), other.toLowerCase());
    if (distance <= most) near.push({ name: other, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, 3).map((one) => one.name);
}

/** Two letters at most: what is refused for being misspelt must not be another word, as `created` beside `updated`. */
const misspelt = 2;

/** The same question, only where the name can be nothing but misspelt. */
export function correctionOf(name: string, known: Iterable<string>): string {
  return didYouMean(name, known, misspelt);
}

/** " Did you mean `a` or `b`?", or nothing. */
export function didYouMean(name: string, known: Iterable<string>, limit?: number): string {
  const near = nearNames(name, known, limit).map((one) => `"${one}"`);
  return near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
}

function editDistance(a: string, b: string): number {
  if (a.length > 60 || b.length > 60) return a === b ? 0 : 60;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let at = 1; at <= b.length; at++) {
      const swapped = a[row - 1] === b[at - 1] ? 0 : 1;
      current[at] = Math.min((before[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1, (before[at - 1] ?? 0) + swapped);
    }
    before = current;
  }
  return before[b.length] ?? 0;
}
