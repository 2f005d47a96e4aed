// A site with something of everything, and what it answers: for tests that put it back elsewhere. It never asserts.

import { hash } from "node:crypto";
import { type Launched, launch, runCairn, type Server, send } from "../harness.ts";
import { upload } from "../support/sample-files.ts";
import { makeUser, password } from "../support/sign-in.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export async function fillSite(server: Server): Promise<void> {
  await server.makeSchema({
    id: "tale",
    properties: {
      id: { $ref: "slug" },
      title: { type: "string" },
      pages: { type: "number" },
      tags: { type: "list" },
      secret: { $ref: "password" },
      cover: { $ref: "image" },
      papers: { $ref: "depot" },
    },
    required: ["id", "title"],
    index: ["id", "title", "pages", "tags"],
  });
  await server.makeCollection({ id: "tales", schema: "tale", name: "Tales", publicOperations: ["read"] });
  const rows = Array.from({ length: 120 }, (_, number) => ({
    id: `tale-${number}`,
    title: `Tale of the stone ${number} ünïcode`,
    pages: number % 7,
    tags: [`t${number % 3}`],
  }));
  await server.request("POST", "/api/import/collections/tales/json", { body: rows });
  await server.request("PATCH", "/api/collections/tales/tale-7", { body: { secret: "hush-hush-1", pages: 99 } });
  await server.request("DELETE", "/api/collections/tales/tale-119");
  await upload(server, "tales/tale-1/cover", { name: "pixel.png", bytes: pixel });
  await upload(server, "tales/tale-1/papers/sub", { name: "note.txt", bytes: "a note ".repeat(10_000) });
  const permissions = { collections: { operations: ["read", "update"], allowed: ["tales"] } };
  await server.request("PUT", "/api/access-groups/authors", { body: { description: "Authors", permissions } });
  await makeUser(server, "ada", ["authors"]);
  await server.request("PUT", "/api/templates/pages/tale", { body: { template: "{{ object.title }}" } });
  await server.request("PUT", "/api/templates/pages/tale", { body: { template: "<b>{{ object.title }}</b>" } });
  await server.request("PUT", "/api/settings/smtp", { body: { host: "mail.example.test", password: "mail-secret" } });
}

/** Of every kind of thing: status, ETag and text. */
const asked = [
  "/api/collections",
  "/api/collections/tales?limit=100",
  "/api/collections/tales/tale-1",
  "/api/collections/tales/tale-7",
  "/api/collections/tales/tale-119",
  "/api/collections/tales/settings",
  "/api/collections/tales/query?search=stone&sort=-pages,id&limit=20",
  "/api/collections/tales/query?filter[tags]=t1&limit=5",
  "/api/collections/tales/query?search=unicode&limit=3",
  "/api/collections/auth",
  "/api/schemas/tale",
  "/api/access-groups",
  "/api/templates",
  "/api/templates/pages/tale",
  "/api/template-history/pages/tale",
  "/api/settings/smtp",
  "/api/apikeys",
  "/download/tales/tale-1/papers/sub/note.txt",
  "/imageworks/tales/tale-1/cover.png",
];

export interface Seen {
  path: string;
  status: number;
  etag: string | null;
  text: string;
}

/** Times of use and the address of the server are the place's, not the site's. */
export async function look(url: string, key: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of asked) {
    const { status, headers, text } = await send(undefined, url, "GET", path, { headers: { "x-api-key": key } });
    const told = text.replaceAll(url, "").replace(/"lastUsed":("[^"]*"|null)/g, '"lastUsed":"-"');
    const short = told.length > 1_000 ? hash("sha256", told) : told;
    seen.push({ path, status, etag: path.startsWith("/api/coll") ? headers.get("etag") : null, text: short });
  }
  return seen;
}

/** Whether the user of the site still signs in; that is written down in the user's record, so look first. */
export async function canSignIn(url: string): Promise<boolean> {
  const answer = await send(undefined, url, "POST", "/api/auth/login", { body: { login: "ada", password } });
  return answer.status === 200 && answer.body.data.user.id === "ada";
}

/** A server on data that are there already. */
export async function visit<T>(env: Record<string, string>, work: (running: Launched) => Promise<T>): Promise<T> {
  const running = await launch(["serve", "--port", "0"], env);
  try {
    return await work(running);
  } finally {
    await running.end("SIGTERM");
  }
}

export function cairn(env: Record<string, string>, ...args: string[]) {
  return runCairn(args, { env });
}
