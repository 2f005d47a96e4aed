// The list that somebody came from, so that an object can lead to the ones before and after it. Kept for the tab.

const keyOf = (collection: string) => `cairn:list:${collection}`;
/** More than anybody steps through. */
const most = 1_000;

export function noteList(collection: string, ids: readonly string[]): void {
  try {
    sessionStorage.setItem(keyOf(collection), JSON.stringify(ids.slice(0, most)));
  } catch {
    // Without a storage there is no way to the neighbours, and no harm.
  }
}

/** The ids before and after; undefined where there is none. */
export function neighboursOf(
  collection: string,
  id: string,
): { previous: string | undefined; next: string | undefined } {
  const ids = readList(collection);
  const at = ids.indexOf(id);
  return at < 0 ? { previous: undefined, next: undefined } : { previous: ids[at - 1], next: ids[at + 1] };
}

function readList(collection: string): string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(keyOf(collection)) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}
