// Doors that write: the rows of the authorization matrix, sent to the site's collections, and own-writes.ts. Also the routes that
// the document does not describe.

import { contentRoots, rows } from "../matrix/routes.ts";
import type { Row } from "../matrix/row.ts";
import type { Door } from "./door.ts";
import { type Collection, fresh, kept, makeObject, placeOf } from "./makes.ts";
import type { Operation } from "./operations.ts";
import { ownWrites } from "./own-writes.ts";
import type { Site } from "./site.ts";

/** Made anew for each person: the request may use up what it is about. */
export type Making = () => Promise<Door>;

const plain = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}|:\w+|\*/g, "{}")}`;
const rowOf = new Map(rows.map((row) => [plain(row.method, row.url), row]));

/** Undefined: nothing says how to call it. */
export function writesOf(site: Site, { name, method, path }: Operation): Making[] | undefined {
  const own = ownWrites(site, name);
  if (own) return own.map((send) => async () => ({ operation: name, method, ...(await send()) }));
  const row = rowOf.get(plain(method, path));
  return row && sendings(site, row, name);
}

function sendings(site: Site, row: Row, operation: string): Making[] {
  const collections: Collection[] = row.isPerPlace ? ["notes", "vault"] : ["notes"];
  return collections.map((at) => async () => {
    const isUsedUp = row.target === "fresh" || row.target === "work";
    const object = isUsedUp ? await makeObject(site, at) : kept(site, at);
    const sent = row.send({ place: placeOf(site, at), object, fresh: fresh() });
    return { operation, method: row.method, ...sent };
  });
}

/** They end a session, or are another name of a route that is asked by its first one. */
const isLeftOut = ({ url, method, spendsSession }: Row) =>
  spendsSession || (method !== "GET" && contentRoots.slice(1).some((root) => url.startsWith(root)));

/** Routes that the document does not describe. */
export function undocumented(site: Site, operations: readonly Operation[]): Making[] {
  const known = new Set(operations.map(({ method, path }) => plain(method, path)));
  return rows
    .filter((row) => !known.has(plain(row.method, row.url)) && !isLeftOut(row))
    .flatMap((row) => sendings(site, row, `${row.method} ${row.url}`));
}
