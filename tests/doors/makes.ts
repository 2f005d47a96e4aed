// Throw-away things for doors that write: an object, a file, a schema that the request may change or delete. By the key that may
// do everything.

import { randomBytes } from "node:crypto";
import type { Place } from "../matrix/collections.ts";
import { done, type Site, sendFile } from "./site.ts";

export type Collection = "notes" | "vault";

/** Begins with a letter, for ids of all kinds. */
export const fresh = (): string => `t${randomBytes(5).toString("hex")}`;

/** What throw-away objects hold: the words of the draft, and of the closed object. */
export function bodyOf({ secrets }: Site, collection: Collection, id: string): Record<string, unknown> {
  const name = collection === "notes" ? "draft" : "closed";
  const word = (what: string) => secrets.named(`${name} ${what}`);
  return {
    ...{ id, title: word("title"), hidden: word("hidden property"), body: `<p>${word("rich text")}</p>`, count: 1 },
    ...{ map: { a: word("value of a map") }, tags: [word("tag")], kin: "live" },
    parts: [{ id: "a", text: word("deck item") }],
    draft: collection === "notes",
  };
}

export function kept({ ids }: Site, collection: Collection): string {
  return collection === "notes" ? ids.draft : ids.closed;
}

/** As the authorization matrix sees the collection: its rows know what every route takes. */
export function placeOf(site: Site, id: Collection): Place {
  return {
    ...{ id, publicOperations: [], text: "title", number: "count", map: "map", deck: "parts", files: "box" },
    object: (made) => bodyOf(site, id, made),
    item: (made) => ({ id: made, text: "B" }),
  };
}

export async function makeObject(site: Site, collection: Collection): Promise<string> {
  const id = fresh();
  await done(site.server, "POST", `/api/collections/${collection}`, bodyOf(site, collection, id));
  return id;
}

/** Below the depot of the kept object. */
export async function makeFile(site: Site, collection: Collection): Promise<string> {
  const name = `${fresh()}.txt`;
  await sendFile(site.server, `/api/collections/${collection}/${kept(site, collection)}/box`, "box", name, "x");
  return name;
}

/** An object whose first version can be restored. */
export async function makeVersions(site: Site, collection: Collection): Promise<{ id: string; change: string }> {
  const id = await makeObject(site, collection);
  await done(site.server, "PATCH", `/api/collections/${collection}/${id}`, { title: "Other" });
  const [{ change }] = await done(site.server, "GET", `/api/history/${collection}/${id}`);
  return { id, change };
}

export async function makeDeleted(site: Site, collection: Collection): Promise<string> {
  const id = await makeObject(site, collection);
  await done(site.server, "DELETE", `/api/collections/${collection}/${id}`);
  const all: { id: string; change: string }[] = await done(site.server, "GET", `/api/trash?collection=${collection}`);
  return all.find((one) => one.id === id)?.change ?? "none";
}

export async function makeSchema({ server }: Site): Promise<string> {
  const id = fresh();
  await server.makeSchema({ id, properties: { title: { type: "string" } }, required: [], index: [] });
  return id;
}

export async function makeTemplate({ server }: Site): Promise<string> {
  const id = `pages/${fresh()}`;
  for (const template of ["one", "two"]) await done(server, "PUT", `/api/templates/${id}`, { template });
  return id;
}

/** What the answer to a POST calls the new one. */
export async function make({ server }: Site, path: string, body: unknown): Promise<string> {
  const made = await done(server, "POST", path, body);
  return made.id ?? made.batch;
}
