// The order of a short list that is here as a whole: a press on a head sorts up, then down, then as it came. Pure.

export interface RecordOrder {
  column: string;
  isDescending: boolean;
}

type SortValue<R> = (record: R) => string | number;

export function nextOrder(order: RecordOrder | undefined, column: string): RecordOrder | undefined {
  if (order?.column !== column) return { column, isDescending: false };
  return order.isDescending ? undefined : { column, isDescending: true };
}

/** Records that are equal keep their places. */
export function sortRecords<R>(rows: readonly R[], sortBy: SortValue<R>, isDescending: boolean): R[] {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const sign = isDescending ? -1 : 1;
  return rows
    .map((record) => ({ record, value: sortBy(record) }))
    .sort((a, b) => sign * compare(a.value, b.value, collator))
    .map(({ record }) => record);
}

function compare(a: string | number, b: string | number, collator: Intl.Collator): number {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}
