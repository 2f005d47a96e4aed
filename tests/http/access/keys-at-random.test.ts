// Limited keys for sets of endpoints at random: over all operations of the API, what a key for two sets is let do and shown, a
// key for one of them is. A seed settles what is drawn; CAIRN_TEST_SEED repeats a run.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { keyMethods } from "#contract/keys.ts";
import { type Server, startServer } from "../../harness.ts";
import { makePlaces, type Place, places, work } from "../../matrix/collections.ts";
import { contentRoots, rows } from "../../matrix/routes.ts";
import type { Sent } from "../../matrix/row.ts";
import { isFull } from "../../support/test-once.ts";

let server: Server;
before(async () => {
  server = await startServer({ settings: { api: { rateLimit: 0 } } });
  await makePlaces(server);
  const text = { type: "string", field: "text" };
  const about = { ...text, reference: "payroll" };
  await server.makeSchema({ id: "pay", properties: { title: text, secret: text }, index: ["id", "title"] });
  await server.makeSchema({ id: "note", properties: { title: text, about }, index: ["id", "title", "about"] });
  await server.makeCollection({ id: "payroll", schema: "pay", history: "full" });
  await server.makeCollection({ id: "notes", schema: "note", history: "full" });
  for (const [collection, body] of [
    ["payroll", { id: "canary-ceo", title: "CEO", secret: "canary-salary" }],
    ["notes", { id: "n1", title: "canary-note", about: "canary-ceo" }],
  ] as const)
    assert.equal((await server.request("POST", `/api/collections/${collection}`, { body })).status, 201);
});
after(() => server.stop());

const pool = [
  ...["/collections", "/collections/notes", "/collections/closed", "/collections/payroll", "/collections/auth"],
  ...["/export", "/export/collections/payroll", "/report", "/import", "/import/collections/closed", "/history"],
  ...[
    "/history/payroll",
    "/imageworks",
    "/download",
    "/download/auth",
    "/stream",
    "/upload",
    "/mcp",
    "/sync",
    "/trash",
  ],
  ...["/undo", "/changes", "/dataviews", "/schemas", "/templates", "/cache", "/collections/automations", "/settings"],
];

/** Requests that show a second collection, or one that they do not name. */
const readings: [method: string, path: string, body?: unknown][] = [
  ["GET", "/api/collections/notes/n1?expand=about"],
  ["GET", "/api/collections/notes?expand=about"],
  ["GET", "/api/collections/notes/query?expand=about"],
  ["GET", "/api/collections/notes/query?filter[about][search]=CEO&fields=id,title"],
  ["GET", "/api/collections/payroll"],
  ["GET", "/api/collections/payroll/canary-ceo/references"],
  ["GET", `/api/collections/payroll/canary-ceo?as_of=${new Date(Date.now() + 86_400_000).toISOString()}`],
  ["GET", "/api/export/collections/payroll"],
  ["GET", "/api/report/collections/payroll/json?fields=id,secret"],
  ["GET", "/api/export/jumpstart?objects=payroll"],
  ["GET", "/api/history/payroll/canary-ceo"],
  ["GET", "/api/changes?limit=100"],
  ["GET", "/api/trash"],
  ["POST", "/api/undo", { by: { user: "nobody" }, collections: ["payroll"] }],
  ["POST", "/api/collections/notes/n1/clone", { collection: "closed" }],
];
const canary = /canary-\w+/g;
/** They add a way of looking at what another endpoint reads, and change what another one changes. */
const looks = /^\/api\/(history|trash|undo|changes|writers)\b/;

const operated = places.filter(({ id }) => ["closed", "auth", "automations"].includes(id));

interface Operation {
  name: string;
  method: string;
  send(fresh: string): Sent;
  /** May take two operations, each by another endpoint: what it shows counts. */
  isReading?: true;
}

function operationsOn(place: Place): Operation[] {
  const of = rows.filter(({ url }) => !contentRoots.slice(1).some((root) => url.startsWith(root)));
  return [
    ...of.map(({ method, url, send }) => ({
      name: `${method} ${url}`,
      method,
      send: (fresh: string) => send({ place, object: work, fresh }),
    })),
    ...readings.map(([method, path, body]) => ({
      name: `${method} ${path}`,
      method,
      isReading: true as const,
      send: (): Sent => ({ path, ...(body !== undefined && { body }) }),
    })),
  ];
}

/** Whether an endpoint is for the path; without one every operation is refused. */
function covers(endpoint: string, path: string): boolean {
  const plain = path
    .replace(/\?.*/, "")
    .replace(/^\/api\/writers\b/, "/changes")
    .replace(/^\/api(?=\/)/, "");
  return plain === endpoint || plain.startsWith(`${endpoint}/`);
}

/** What a key has deleted. */
async function restore(): Promise<void> {
  for (const { id, object } of operated) await server.request("POST", `/api/collections/${id}`, { body: object(work) });
}

interface Findings {
  allowed: Set<string>;
  shown: Set<string>;
}

let count = 0;

async function findingsOf(endpoints: readonly string[], methods: readonly string[], operations: readonly Operation[]) {
  const body = { name: "at random", methods, endpoints };
  const made = await server.request("POST", "/api/apikeys", { body });
  const found: Findings = { allowed: new Set(), shown: new Set() };
  for (const { name, method, send, isReading } of operations) {
    const { path, ...sent } = send(`r-${count}`);
    if (!methods.includes(method) || !endpoints.some((endpoint) => covers(endpoint, path))) continue;
    count += 1;
    const { status, text } = await server.request(method, path, { ...sent, key: made.body.data.key });
    assert.ok(status < 500 || status === 503, `${name}: ${status}`);
    if (!isReading && status !== 401 && status !== 403) found.allowed.add(name);
    if (status === 204) await restore();
    if (status === 200) for (const [word] of text.matchAll(canary)) found.shown.add(word);
  }
  return found;
}

/** Numbers in a row that a seed settles. */
function rolls(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("KEY-40 over all operations a key for two sets of endpoints is let do and shown no more than a key for one", async (t) => {
  const seed = Number(process.env.CAIRN_TEST_SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`CAIRN_TEST_SEED=${seed}`);
  const roll = rolls(seed);
  const some = <Item>(items: readonly Item[], most: number) => [
    ...new Set(Array.from({ length: 1 + roll(most) }, () => items[roll(items.length)] as Item)),
  ];
  for (let round = 0; round < (isFull ? 60 : 12); round += 1) {
    const methods = roll(2) === 0 ? keyMethods : ["GET", ...some(keyMethods, 2)];
    const operations = operationsOn(operated[roll(operated.length)] as Place);
    const sets = [some(pool, 2), some(pool, 2)] as const;
    const [one, other] = [
      await findingsOf(sets[0], methods, operations),
      await findingsOf(sets[1], methods, operations),
    ];
    const both = await findingsOf([...new Set(sets.flat())], methods, operations);
    const told = `${sets.join(" and ")} by ${methods}, CAIRN_TEST_SEED=${seed}`;
    assert.deepEqual([...both.shown.difference(one.shown.union(other.shown))], [], told);
    const more = [...both.allowed.difference(one.allowed.union(other.allowed))];
    assert.deepEqual(
      more.filter((name) => !looks.test(name.split(" ")[1] as string)),
      [],
      told,
    );
  }
  t.diagnostic(`${count} requests`);
  assert.ok(count > 100, `${count} requests`);
});
