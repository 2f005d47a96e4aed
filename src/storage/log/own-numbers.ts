// Which objects of the log belong to a collection. A collection that is made gets the numbers of objects from then on: what
// the log has of a former collection of its id has lower numbers. One that comes back has the numbers that it had, too.

import type { Json } from "#contract/json.ts";
import type { Dialect, Fragment, Tx } from "#storage/port.ts";

/** Null: the collection is there. */
export type NumberRange = readonly [after: number, upTo: number | null];

/** Undefined: all numbers. A collection of an earlier version has no ranges. */
export type OwnNumbers = readonly NumberRange[];

/** Of one collection, which was deleted and came back as often. The oldest ranges go. */
const maxRanges = 200;

export function readNumbers(text: string): OwnNumbers | undefined {
  return text === "" ? undefined : (JSON.parse(text) as OwnNumbers);
}

/** The highest number that ranges name, wherever they come from. */
export function lastOf(ranges: Json | undefined): number {
  const ends = Array.isArray(ranges) ? ranges.flat().filter((end) => typeof end === "number") : [];
  return Math.max(0, ...ends);
}

export function isOwnNumber(own: OwnNumbers | undefined, rid: number): boolean {
  return own === undefined || own.some(([after, upTo]) => rid > after && (upTo === null || rid <= upTo));
}

/** Follows the conditions that find records of the log. The sign keeps the engine from finding them by their numbers. */
export function ownCondition(own: OwnNumbers | undefined): Fragment {
  if (own === undefined) return { sql: "", params: [] };
  const ranges = own.map(([, upTo]) => (upTo === null ? "+rid > ?" : "+rid > ? AND +rid <= ?"));
  return {
    sql: ` AND (${ranges.length > 0 ? ranges.join(" OR ") : "1 = 0"})`,
    params: own.flatMap(([after, upTo]) => (upTo === null ? [after] : [after, upTo])),
  };
}

/** Of a new collection, as text: the database reads the number itself. */
export function newNumbers({ tables }: Pick<Dialect, "tables">): string {
  return `'[[' || ${tables.lastObject} || ',null]]'`;
}

/** Objects that are stored later have higher numbers, those that are stored already have not. */
export async function lastNumber(tx: Tx): Promise<number> {
  const row = await tx.one<{ last: number }>(`SELECT ${tx.dialect.tables.lastObject} AS last`);
  return Number(row?.last ?? 0);
}

/** Of a collection that is deleted now. */
export function endNumbers(own: OwnNumbers | undefined, last: number): OwnNumbers {
  return (own ?? [[0, null]]).map(([after, upTo]) => [after, upTo ?? last]);
}

/** Of a deleted collection: the numbers of its newest objects were not known when its deletion was recorded. */
export function endBehind(own: OwnNumbers, highest: number): OwnNumbers {
  return own.map(([after, upTo], at) => [after, at === own.length - 1 ? Math.max(upTo ?? 0, highest) : upTo]);
}

/** Of a collection that comes back. */
export function goOnWithNumbers(own: OwnNumbers, last: number): OwnNumbers {
  const [newest, ...older] = own.toReversed();
  // Nothing was stored in between.
  const isJoined = newest?.[1] != null && last <= newest[1];
  const ranges: OwnNumbers = isJoined ? [...older.toReversed(), [newest[0], null]] : [...own, [last, null]];
  return ranges.slice(-maxRanges);
}
