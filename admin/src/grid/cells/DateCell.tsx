// A day as it is written; a time as how long ago it was, with the full time as a tooltip.

import { formatAgo, formatDateTime, formatDay } from "#words/format.ts";
import type { CellProps } from "./cell.ts";

/** Older times are easier to read as a day. */
const recent = 7 * 86_400_000;

export function DateCell({ value, column }: CellProps) {
  if (typeof value !== "string" || value === "") return null;
  if (column.field === "date")
    return (
      <time dateTime={value} title={fullDay(value)}>
        {formatDay(value)}
      </time>
    );
  const isRecent = Math.abs(Date.now() - Date.parse(value)) < recent;
  return (
    <time dateTime={value} title={formatDateTime(value)}>
      {isRecent ? formatAgo(value) : formatDay(value)}
    </time>
  );
}

/** A day that was stored with a time has more to say. */
function fullDay(value: string): string {
  return value.length > 10 && !/T00:00:00(\.0+)?(Z|$)/.test(value) ? formatDateTime(value) : formatDay(value);
}
