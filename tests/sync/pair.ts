// Two installations for tests of sync: `here` pushes and pulls, `there` is its remote. It builds; it never asserts.

import { join } from "node:path";
import { type Server, type StartOptions, startServer } from "../harness.ts";
import { filesBelow } from "../support/files-below.ts";

export interface Pair {
  here: Server;
  there: Server;
  stop(): Promise<void>;
}

/** The key of `here` opens nothing but what sync and seeding need. */
export async function startPair(options: StartOptions = {}): Promise<Pair> {
  const there = await startServer();
  const key = await makeKey(there, "/sync,/import/jumpstart");
  const here = await startServer({ ...options, settings: { sync: { url: `${there.url}/api`, key } } });
  return {
    here,
    there,
    async stop() {
      await here.stop();
      await there.stop();
    },
  };
}

export async function makeKey(server: Server, endpoints: string, methods = "GET,POST"): Promise<string> {
  const body = { name: "sync", methods: methods.split(","), endpoints: endpoints.split(",") };
  const { status, text, body: answer } = await server.request("POST", "/api/apikeys", { body });
  if (status !== 201) throw new Error(`no key: ${status} ${text}`);
  return answer.data.key;
}

export const article = {
  id: "article",
  description: "Articles",
  properties: {
    id: { $ref: "/schemas/properties/slug.json", field: "id" },
    title: { type: "string" },
    body: { type: "string", field: "styledtext" },
    picture: { type: "image" },
    secret: { type: "password" },
  },
  required: ["title"],
  index: ["title"],
};

/** One object of each feature collection, by collection. */
export const featureObjects = {
  "builder-pages": { id: "home", title: "Home", template: "pages/home" },
  dataviews: { id: "totals", name: "Totals", definition: "export default async () => 1" },
  mailer: { id: "welcome", name: "Welcome", to: "ada@example.test", subject: "Hello" },
  "mcp-prompt": { id: "review", name: "review", description: "Reviews", body: "Look at it" },
  automations: { id: "nightly", name: "Nightly", handler: "export default async () => 1" },
} as const;

/** Something of everything that sync carries. */
export async function fill(server: Server): Promise<void> {
  await server.makeSchema(article);
  await server.makeCollection({ id: "news", schema: "article", name: "News of here" });
  const body = { template: "<h1>{{ title }}</h1>" };
  const { status, text } = await server.request("PUT", "/api/templates/pages/home", { body });
  if (status > 201) throw new Error(`no template: ${status} ${text}`);
  for (const [collection, object] of Object.entries(featureObjects)) await create(server, collection, object);
}

export async function create(server: Server, collection: string, body: object): Promise<void> {
  const { status, text } = await server.request("POST", `/api/collections/${collection}`, { body });
  if (status !== 201) throw new Error(`no object in ${collection}: ${status} ${text}`);
}

export function importInto(server: Server, body: object) {
  return server.request("POST", "/api/sync/import", { body });
}

/** The whole export of an installation, without what tells when. */
export async function exported(server: Server, query = ""): Promise<Record<string, unknown>> {
  const { body } = await server.request("GET", `/api/sync/export${query}`);
  return body.data;
}

/** `kind id`, `kind collection/id` of a list of items, sorted. */
export function names(items: { kind: string; id: string; collection?: string }[]): string[] {
  return items.map(({ kind, id, collection }) => `${kind} ${collection ? `${collection}/` : ""}${id}`).sort();
}

/** Paths of the snapshots, below their folder, sorted. */
export function snapshotFiles(server: Server, place = ""): string[] {
  const root = join(server.dataDir, ".system", "backups");
  return filesBelow(join(root, place)).map((file) => join(place, file));
}
