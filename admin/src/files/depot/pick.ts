// Which files of a depot are chosen, and where the keyboard is. Pure.

export interface Picked {
  /** Paths. */
  chosen: ReadonlySet<string>;
  /** The row that the keyboard is at; the anchor is where a range begins. */
  active: string | undefined;
  anchor: string | undefined;
}

export const nothingPicked: Picked = { chosen: new Set(), active: undefined, anchor: undefined };

/** That one alone. */
export function pickOne(path: string): Picked {
  return { chosen: new Set([path]), active: path, anchor: path };
}

/** Another one, or no longer. */
export function toggle({ chosen }: Picked, path: string): Picked {
  const next = new Set(chosen);
  if (!next.delete(path)) next.add(path);
  return { chosen: next, active: path, anchor: path };
}

/** From the anchor to this one. */
export function pickRange(picked: Picked, paths: readonly string[], path: string): Picked {
  const from = paths.indexOf(picked.anchor ?? path);
  const to = paths.indexOf(path);
  if (from < 0 || to < 0) return pickOne(path);
  const chosen = new Set(paths.slice(Math.min(from, to), Math.max(from, to) + 1));
  return { chosen, active: path, anchor: paths[from] };
}

export function pickAll(picked: Picked, paths: readonly string[]): Picked {
  return { ...picked, chosen: new Set(paths) };
}

/** Only what is still there; the keyboard stays near its place. */
export function keepKnown(picked: Picked, before: readonly string[], paths: readonly string[]): Picked {
  const known = new Set(paths);
  const isWhole = [...picked.chosen].every((path) => known.has(path));
  const isActive = picked.active === undefined || known.has(picked.active);
  if (isWhole && isActive) return picked;
  const chosen = new Set([...picked.chosen].filter((path) => known.has(path)));
  const at = before.indexOf(picked.active ?? "");
  const active = isActive ? picked.active : paths[Math.min(Math.max(at, 0), paths.length - 1)];
  return { chosen, active, anchor: active };
}

const pageRows = 10;

/** Where a key leads from a row; undefined: it is not a key of movement. */
export function rowAfter(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
      return Math.min(last, at + 1);
    case "ArrowUp":
      return Math.max(0, at - 1);
    case "PageDown":
      return Math.min(last, at + pageRows);
    case "PageUp":
      return Math.max(0, at - pageRows);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
