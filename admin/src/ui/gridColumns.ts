import type { CSSProperties } from "react";

/** So many columns, or as many as fit when each has this width at least. */
export function gridColumns(columns: number | string | undefined): CSSProperties | undefined {
  if (columns === undefined) return undefined;
  if (typeof columns === "number") return { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` };
  return { gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${columns}), 1fr))` };
}
