// What somebody typed into the palette, and which entries it fits. Pure.

export interface Wish {
  /** All entries, actions alone (`>`), or collections alone (`#`). */
  scope: "all" | "actions" | "collections";
  text: string;
}

export function readWish(typed: string): Wish {
  const text = typed.trimStart();
  if (text.startsWith(">")) return { scope: "actions", text: text.slice(1).trim() };
  if (text.startsWith("#")) return { scope: "collections", text: text.slice(1).trim() };
  return { scope: "all", text: text.trim() };
}

/** `#blog stones`: the words behind the collection look for its objects. */
export function splitCollection(text: string): { name: string; words: string } {
  const at = text.indexOf(" ");
  return at < 0 ? { name: text, words: "" } : { name: text.slice(0, at), words: text.slice(at + 1).trim() };
}

/** Lower is better; undefined when a word of `text` is not in `label`. */
export function rankOf(label: string, text: string): number | undefined {
  const own = fold(label);
  const words = fold(text).split(/\s+/).filter(Boolean);
  let rank = 0;
  for (const word of words) {
    const at = own.indexOf(word);
    if (at < 0) return undefined;
    if (at > 0) rank += /[\s\-_/]/.test(own[at - 1] as string) ? 1 : 2;
  }
  return rank;
}

/** Those that fit, the best first; equal ones keep their order. */
export function pick<T>(entries: readonly T[], text: string, labelOf: (entry: T) => string): T[] {
  return entries
    .map((entry) => ({ entry, rank: rankOf(labelOf(entry), text) }))
    .filter((found): found is { entry: T; rank: number } => found.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
