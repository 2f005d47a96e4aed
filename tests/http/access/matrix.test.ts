// The authorization matrix: every route of the running server, sent by everybody to a collection of every kind.
// What is right is in tests/matrix/rules.ts; what each route asks for in tests/matrix/routes.ts.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { engine, root, type Server, startServer } from "../../harness.ts";
import { kept, makePlaces, type Place, places, work } from "../../matrix/collections.ts";
import { makePersonas, type Persona } from "../../matrix/personas.ts";
import { contentRoots, registered, rows } from "../../matrix/routes.ts";
import { can, type Row } from "../../matrix/row.ts";
import { fetches, judge } from "../../matrix/rules.ts";
import { upload } from "../../support/sample-files.ts";
import { isOnce } from "../../support/test-once.ts";
import { maxGrowth, maxTurn, reportTurns, type Turns } from "../../support/turns.ts";

const atOnce = 8;
const folder = mkdtempSync(join(tmpdir(), "cairn-matrix-"));
const report = join(folder, "routes.json");

const turns = reportTurns([join(root, "tests", "matrix", "report-routes.ts")]);

let server: Server;
let idle: Turns;
let personas: Persona[];
let untouched: string;
before(async () => {
  server = await startServer({
    hasOAuth: true,
    env: { ...turns.env, ROUTE_REPORT: report },
    settings: { api: { rateLimit: 0 } },
  });
  await makePlaces(server);
  personas = await makePersonas(server);
  // What is loaded with its first use is no work of a cell: it takes up to 200 ms once, and none of it the second time.
  for (const path of ["/mcp", "/oauth/register", "/api/mcp-doctor", "/api/auth/forgot-password"])
    await server.request("POST", path, { body: {} });
  for (const row of rows.filter(({ method }) => method === "GET")) {
    const { path, ...rest } = row.send({ place: places[0] as Place, object: kept, fresh: "first" });
    await server.request("GET", path, rest);
  }
  untouched = await snapshot();
  idle = await turns.take(server);
});
after(async () => {
  await server.stop();
  turns.remove();
  rmSync(folder, { recursive: true });
});

/** Whatever a refused request could have changed. */
async function snapshot(): Promise<string> {
  const texts = await Promise.all(
    places.map(async ({ id }) => (await server.request("GET", `/api/collections/${id}/${kept}`)).text),
  );
  return texts.join("\n");
}

interface Cell {
  row: Row;
  place: Place;
  method: string;
}

const isFull = process.env.CAIRN_TEST_FULL === "1";
/** On PostgreSQL, where the same code decides: so many routes for each caller, in turn. */
const share = isOnce ? 1 : 4;

/** Every caller asks every route. A full run asks it of all collections by all methods; else each caller asks it of one
 * collection in turn, so that callers and collections, and routes and collections, meet as well. Of the other addresses of a
 * content route it asks every second one then. */
function* cells(caller: number): Iterable<Cell> {
  for (const [turn, row] of rows.entries()) {
    if ((turn + caller) % share !== 0) continue;
    // The other addresses of the content routes are held against one collection, the first one against all.
    const isAlias = contentRoots.some((content, at) => at > 0 && row.url.startsWith(content));
    if (isAlias && !isFull && (turn + caller) % 2 === 0) continue;
    const round = Math.floor((turn + caller) / places.length);
    const one = (turn + caller) % places.length;
    const all = isFull && engine === "sqlite" ? places : places.slice(one, one + 1);
    const methods = row.method !== "GET" ? [row.method] : isFull ? ["GET", "HEAD"] : [round % 3 === 0 ? "HEAD" : "GET"];
    for (const place of row.isPerPlace && !isAlias ? all : places.slice(0, 1))
      for (const method of methods) yield { row, place, method };
  }
}

let count = 0;

/** Sends one cell as the persona; undefined when all is right, else what is wrong. */
async function check(persona: Persona, { row, place, method }: Cell): Promise<string | undefined> {
  count += 1;
  const sendAs = (object: string, fresh: string) => row.send({ place, object, fresh });
  const path = sendAs(kept, "x").path.split("?")[0] as string;
  const verdict = judge(persona, { method, path, asks: row.asks(place), place, isSafe: row.isSafe, takes: row.takes });
  const fresh = `${verdict === "passes" ? "made" : "refused"}-${count}`;
  const object = verdict === "passes" ? await aim(row, place, fresh) : kept;
  const { path: to, headers, ...body } = sendAs(object, fresh);
  const speaks = row.spendsSession ? await persona.renew() : persona.headers;
  const { status, text } = await server.request(method, to, { key: null, headers: { ...speaks, ...headers }, ...body });
  const expected = verdict === "passes" ? await passing(persona, { row, place, method }) : verdict;
  if (status === expected) return undefined;
  return `${persona.name}: ${method} ${to} is ${status}, not ${expected} ${text.slice(0, 200)}`;
}

/** The object that a passing request aims at. */
async function aim({ target }: Row, place: Place, fresh: string): Promise<string> {
  if (target !== "fresh") return target === "work" ? work : kept;
  const id = `o-${fresh}`;
  const { status, text } = await server.request("POST", `/api/collections/${place.id}`, { body: place.object(id) });
  if (status !== 201) throw new Error(text);
  return id;
}

const learned = new Map<string, number>();
let lessons = 0;

/** The status of those who may: by the table, or, where a collection has another shape, as the full key gets it. */
async function passing(persona: Persona, { row, place, method }: Cell): Promise<number> {
  if (persona.who.kind === "user" && persona.who.isImpersonated && row.url.endsWith("/stop")) return 200;
  if (place.deck === "parts" || !row.isPerPlace) return row.status;
  const name = `${method} ${row.url} ${place.id}`;
  const known = learned.get(name);
  if (known !== undefined) return known;
  lessons += 1;
  const fresh = `learned-${lessons}`;
  const { path, ...rest } = row.send({ place, object: await aim(row, place, fresh), fresh });
  const { status } = await server.request(method, path, rest);
  learned.set(name, status);
  return status;
}

async function inTurns<T>(work: Iterable<T>, run: (each: T) => Promise<void>): Promise<void> {
  const queue = [...work];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await run(next);
    }),
  );
}

test("GRP-60 every route of the server has a row in the matrix, and every row a route", () => {
  const routes = JSON.parse(readFileSync(report, "utf8")) as string[];
  assert.ok(routes.length > 100);
  const table = registered();
  assert.deepEqual(
    {
      withoutRow: routes.filter((route) => !table.includes(route)),
      withoutRoute: table.filter((r) => !routes.includes(r)),
    },
    { withoutRow: [], withoutRoute: [] },
    "tests/matrix/routes.ts must say what each route asks for",
  );
});

test("GRP-61 in every cell callers with the right are served, others refused by the right status (T15, T59, T67)", async (t) => {
  const wrong: string[] = [];
  for (const [caller, persona] of personas.entries()) {
    await inTurns(cells(caller), async (cell) => {
      const problem = await check(persona, cell);
      if (problem !== undefined) wrong.push(problem);
    });
  }
  t.diagnostic(`${count} cells, ${wrong.length} wrong`);
  assert.deepEqual(wrong.slice(0, 40), []);
  assert.ok(count >= 1_500 / share, `${count} cells`);
});

test("GRP-61 where the admin passes, no answer of the collections of other shapes is a refusal or a fault", () => {
  const bad = [...learned].filter(([, status]) => status === 401 || status === 403 || status >= 500);
  assert.deepEqual(bad, []);
  assert.ok(learned.size > (engine === "sqlite" && isFull ? 50 : 20));
});

for (const lock of ["group", "password"] as const) {
  test(`GRP-63 a clone of a file that a ${lock} locks is for callers that may fetch it`, async () => {
    const vault = { id: `vault-${lock}`, publicOperations: ["read"], groups: lock === "group" ? ["reader"] : [] };
    const pad = `pad-${lock}`;
    await server.makeCollection({ ...vault, schema: "matrix" });
    await server.makeCollection({ id: pad, schema: "matrix", publicOperations: ["read", "create"] });
    await server.request("POST", `/api/collections/${vault.id}`, { body: { id: "a" } });
    await upload(server, `${vault.id}/a/box`, { name: "secret.txt", bytes: "secret" });
    if (lock === "password") {
      const body = { password: "tansy-root-5" };
      assert.equal((await server.request("PATCH", `/api/collections/${vault.id}/a/box`, { body })).status, 200);
    }
    const path = `/api/collections/${vault.id}/a/clone`;
    const place = { ...(places[1] as Place), id: vault.id };
    const members = { groups: ["reader-user", "reader-of-two"], on: vault.id };
    const wrong: string[] = [];
    let copied = 0;
    for (const [at, persona] of personas.entries()) {
      const verdict = judge(persona, { method: "POST", path, asks: [{ ...can("read"), on: vault.id }], place });
      const isMember = fetches(persona, lock === "group" ? members : { on: vault.id });
      const expected = verdict !== "passes" ? verdict : isMember ? 200 : 403;
      const body = { collection: pad, id: `copy-${at}` };
      const { status, text } = await server.request("POST", path, { key: null, headers: persona.headers, body });
      if (status !== expected) wrong.push(`${persona.name}: ${status}, not ${expected} ${text.slice(0, 200)}`);
      if (status === 200) copied += 1;
      // Callers without a right of their own do not choose the id.
      const { id } = status === 200 ? (JSON.parse(text) as { id: string }) : body;
      const copy = (await server.request("GET", `/download/${pad}/${id}/box/secret.txt`, { key: null })).status;
      const shown = status !== 200 ? 404 : lock === "group" ? 200 : 403;
      if (copy !== shown) wrong.push(`${persona.name}: the copy is ${copy}, not ${shown}`);
    }
    assert.deepEqual(wrong, []);
    assert.ok(copied >= 4, `${copied} copies`);
  });
}

test("GRP-62 a refused request has changed nothing", async () => {
  assert.equal(await snapshot(), untouched);
  for (const path of [
    ...places.flatMap(({ id }) => [`/api/export/collections/${id}`, `/api/collections/${id}/settings`]),
    "/api/collections",
    "/api/schemas",
    "/api/access-groups",
    "/api/apikeys",
    "/api/oauth-clients",
  ]) {
    const { status, text } = await server.request("GET", path);
    assert.equal(status, 200, path);
    assert.ok(!text.includes("refused-"), `${path}: ${/.{40}refused-.{40}/.exec(text)}`);
  }
});

test("BOUND-8, BOUND-9 no cell held the event loop or filled the heap", async (t) => {
  const { repeated, during, peak } = await turns.take(server);
  t.diagnostic(`${during.join("; ")}, ${peak - idle.held} bytes`);
  assert.ok(repeated < maxTurn, during.join("; "));
  assert.ok(peak - idle.held < maxGrowth, `${peak - idle.held} bytes`);
});
