// One site with a marked secret in every place that is not for everybody. It builds; it never asserts.

import type { Server } from "../harness.ts";
import { formOf, picture } from "../support/sample-files.ts";
import { makeRecords, type Records } from "./records.ts";
import { type Audience, hashes, type Secrets } from "./secrets.ts";

/** In every object, so that a search finds all of them. */
export const common = "commonword";

export interface Site {
  server: Server;
  secrets: Secrets;
  /** Ids: they are secrets themselves where the object is one. */
  ids: { draft: string; closed: string; closedDraft: string };
  /** Changes of the log by the object: the first one that holds a former value, and the deletion. */
  changes: { former: string[]; closedFormer: string[]; gone: string; closedGone: string };
  records: Records;
  /** From before the last changes. */
  before: string;
}

export const settings = {
  api: { rateLimit: 0 },
  mcp: { publicAccess: true, publicIpPerMinute: 0 },
  changes: { publicStreams: true },
  forms: { rateLimit: 0 },
  webhooks: { allowPrivateHosts: true, retryDelays: ["PT24H"] },
  // Nobody answers there: mails stay in the queue.
  smtp: { host: "127.0.0.1", port: 1, from: "cms@example.test", secure: "none" },
  oauth: { tokenEndpointLimit: 0, dynamicRegistrationLimit: 0 },
};

const text = { type: "string", field: "text" };
const hidden = { ...text, mcp: { expose: false } };

async function makeDefinitions(server: Server): Promise<void> {
  await server.makeSchema({
    id: "doorpart",
    properties: { id: { type: "slug" }, text, hidden, scan: { type: "file" } },
    required: ["id"],
  });
  await server.makeSchema({
    id: "door",
    properties: {
      ...{ id: { type: "slug" }, title: text, hidden, draft: { type: "boolean", field: "toggle" } },
      body: { type: "string", field: "styledtext" },
      count: { type: "number" },
      map: { type: "object" },
      tags: { type: "list", field: "list" },
      parts: { type: "deck", field: "deck", deckref: "doorpart" },
      pin: { type: "password", field: "password" },
      friend: { ...text, reference: "vault" },
      kin: { ...text, reference: "notes" },
      paper: { type: "file" },
      shot: { type: "image" },
      album: { type: "gallery" },
      box: { type: "depot" },
    },
    required: ["id"],
    index: ["id", "title", "hidden", "draft", "count", "tags", "friend", "kin"],
  });
  const shared = { schema: "door", history: "full" };
  const site = { onSite: true, sitemap: { enabled: true } };
  const forms = { contact: { fields: ["title", "body"] } };
  await server.makeCollection({
    ...{ ...shared, ...site, id: "notes", url: "/notes/{id}", publicOperations: ["read"] },
    mcp: { access: "public", resource: true },
  });
  await server.makeCollection({ ...shared, id: "vault", forms, mcp: { access: "authenticated", resource: true } });
  await server.makeCollection({ ...shared, id: "bin" });
  await server.makeCollection({ ...shared, id: "board", publicOperations: ["read"], groups: ["members"] });
}

interface Kind {
  name: string;
  audience: Audience;
  file: Audience;
  collection: string;
  id: string;
  isDraft?: boolean;
}

/** What an object holds, each value marked by its name. */
export function valuesOf(secrets: Secrets, { name, audience, isDraft = false }: Omit<Kind, "collection" | "file">) {
  const word = (what: string) => secrets.mark(`${name} ${what}`, audience);
  return {
    title: `${common} ${word("title")}`,
    hidden: `${common} ${secrets.mark(`${name} hidden property`, audience, true)}`,
    body: `<p>${word("rich text")}</p>`,
    count: 7,
    map: { [word("key of a map")]: word("value of a map") },
    tags: [word("tag")],
    parts: [{ id: "a", text: word("deck item"), hidden: secrets.mark(`${name} hidden in a deck`, audience, true) }],
    pin: secrets.mark(`${name} password`, "nobody"),
    draft: isDraft,
  };
}

async function makeObject(server: Server, secrets: Secrets, kind: Kind, more: object): Promise<void> {
  const { collection, id, name, file } = kind;
  await done(server, "POST", `/api/collections/${collection}`, { id, ...valuesOf(secrets, kind), ...more });
  const at = `/api/collections/${collection}/${id}`;
  const named = secrets.mark(`${name} file name`, file);
  const bytes = (what: string) => secrets.mark(`${name} bytes of ${what}`, file);
  await sendFile(server, `${at}/paper`, "paper", `${named}.txt`, bytes("a file"));
  await sendFile(server, `${at}/parts/a/scan`, "scan", "a.txt", bytes("a file in a deck"));
  await sendFile(server, `${at}/box`, "box", "a.txt", bytes("a depot"));
  await sendFile(server, `${at}/box/sub`, "sub", "b.txt", bytes("a folder"));
  await sendFile(server, `/api/upload/${collection}/${id}/body`, "file", "ed.txt", bytes("a file in a text"));
  await sendFile(server, `${at}/shot`, "shot", "s.png", await picture(8, 8, { format: "png" }));
  await sendFile(server, `${at}/album`, "album", "g.png", await picture(8, 8, { format: "png" }));
  await done(server, "PATCH", `${at}/shot`, { alt: secrets.mark(`${name} text of a picture`, kind.audience) });
  secrets.mark(`${name} picture`, file);
}

export async function sendFile(server: Server, path: string, field: string, name: string, bytes: string | Uint8Array) {
  const answer = await server.request("POST", path, formOf({ field, name, bytes }));
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
}

/** As the key that may do everything; what it answers. */
export async function done(server: Server, method: string, path: string, body?: unknown) {
  const answer = await server.request(method, path, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body?.data;
}

export async function makeSite(server: Server, secrets: Secrets): Promise<Site> {
  secrets.literal(hashes, "$argon2id$");
  secrets.literal("key that the site was built with", server.key);
  await makeDefinitions(server);
  const ids = {
    draft: secrets.mark("id of a draft", "draft"),
    closed: secrets.mark("id of a closed object", "closed"),
    closedDraft: secrets.mark("id of a closed draft", "closed-draft"),
  };
  const [notes, vault] = ["notes", "vault"];
  const make = (kind: Kind, more: object) => makeObject(server, secrets, kind, more);
  const closed = { collection: vault, audience: "closed", file: "closed-file" } as const;
  await make({ ...closed, name: "closed", id: ids.closed }, { friend: ids.closed, kin: "live" });
  await make(
    {
      ...closed,
      name: "closed draft",
      audience: "closed-draft",
      file: "draft-file",
      id: ids.closedDraft,
      isDraft: true,
    },
    { kin: ids.draft },
  );
  await make(
    { name: "draft", collection: notes, audience: "draft", file: "draft-file", id: ids.draft, isDraft: true },
    { friend: "friend", kin: "live" },
  );
  // The relations of a live object are ids that everybody reads; they lead to what not everybody may read.
  const live = { name: "live", collection: notes, audience: "everyone", file: "everyone", id: "live" } as const;
  await done(server, "POST", `/api/collections/${vault}`, {
    id: "friend",
    title: secrets.mark("friend of a live object", "closed"),
    kin: "live",
  });
  await done(server, "POST", `/api/collections/${notes}`, {
    id: "kin",
    title: `${common} ${secrets.mark("draft kin of a live object", "draft")}`,
    draft: true,
    kin: "live",
  });
  await make(live, { friend: "friend", kin: "kin" });
  await done(server, "PATCH", "/api/collections/notes/live/paper", {
    password: secrets.mark("password of a file", "nobody"),
  });
  await done(server, "POST", "/api/collections/board", { id: "a", title: "Board" });
  await sendFile(
    server,
    "/api/collections/board/a/paper",
    "paper",
    "a.txt",
    secrets.mark("file of a group", "members"),
  );
  await done(server, "POST", "/api/collections/notes", { id: "locked", title: "Locked" });
  await sendFile(
    server,
    "/api/collections/notes/locked/paper",
    "paper",
    "a.txt",
    secrets.mark("file with a password", "locked"),
  );
  await done(server, "PATCH", "/api/collections/notes/locked/paper", { password: "tansy-root-5" });
  const before = new Date().toISOString();
  const changes = {
    former: await makeFormer(
      server,
      notes,
      secrets.mark("former value", "history"),
      secrets.mark("value of a former draft", "history"),
    ),
    closedFormer: await makeFormer(
      server,
      vault,
      secrets.mark("former closed value", "closed-history"),
      secrets.mark("value of a former closed draft", "closed-history"),
    ),
    gone: await makeGone(server, notes, secrets.mark("deleted value", "trash")),
    closedGone: await makeGone(server, vault, secrets.mark("deleted closed value", "closed-trash")),
  };
  return { server, secrets, ids, changes, before, records: await makeRecords(server, secrets) };
}

/** An object that was a draft with one title, then published with another, which was replaced. */
async function makeFormer(server: Server, collection: string, value: string, drafted: string): Promise<string[]> {
  const at = `/api/collections/${collection}`;
  await done(server, "POST", at, { id: "former", title: `${common} ${drafted}`, draft: true });
  await done(server, "PATCH", `${at}/former`, { title: `${common} ${value}`, draft: false });
  await done(server, "PATCH", `${at}/former`, { title: "Now" });
  const changes = await done(server, "GET", `/api/history/${collection}/former`);
  return changes.map(({ change }: { change: string }) => change);
}

async function makeGone(server: Server, collection: string, value: string): Promise<string> {
  await done(server, "POST", `/api/collections/${collection}`, { id: "gone", title: `${common} ${value}` });
  await done(server, "DELETE", `/api/collections/${collection}/gone`);
  const [entry] = await done(server, "GET", `/api/trash?collection=${collection}`);
  return entry.change;
}
