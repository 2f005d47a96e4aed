// Every door of the service as every person: no answer holds a value that its caller may not read.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { engine, type Server, startServer } from "../harness.ts";
import { keptConnections } from "../support/kept-connections.ts";
import { zipOf } from "../support/zip.ts";
import { type Offers, offersTo, unknownTools, visitAgents } from "./agents.ts";
import { type Door, leaks, send } from "./door.ts";
import { doorsOf, type Operation, operationsOf, readsOf } from "./operations.ts";
import { unreachable } from "./own-writes.ts";
import { makePersons, type Person } from "./persons.ts";
import { completeRecords } from "./records.ts";
import { namesOf, newRound, visit } from "./round.ts";
import { Secrets } from "./secrets.ts";
import { makeSite, type Site, settings } from "./site.ts";
import { visitStreams } from "./streams.ts";
import { undocumented, writesOf } from "./writes.ts";

const isFull = process.env.CAIRN_TEST_FULL === "1";
/** Those that the others differ from in a few doors. On PostgreSQL, where the same code decides by other queries, nobody else asks. */
const telling = [
  ...["anonymous", "user nogroups", "user reader", "user editor", "user root", "key for everything", "key published"],
  ...["key for notes and images", "key for agents", "token of reader for mcp:tools mcp:resources mcp:prompts"],
];

let server: Server;
let site: Site;
let persons: Person[];
let operations: Operation[];
let reads: Door[];
let offers: Offers;
const round = newRound();
const missing: string[] = [];

before(async () => {
  server = await startServer({ hasOAuth: true, settings });
  site = await makeSite(server, new Secrets());
  const all = await makePersons(server);
  persons = isFull || engine === "sqlite" ? all : all.filter(({ name }) => telling.includes(name));
  const root = persons.find(({ name }) => name === "user root") as Person;
  await completeRecords(server, site.records, root.headers);
  operations = operationsOf((await server.request("GET", "/api/openapi.json")).body);
  reads = readsOf(operations).flatMap((operation) => {
    const doors = doorsOf(site, operation);
    if (typeof doors !== "string") return doors;
    missing.push(doors);
    return [];
  });
  offers = await offersTo(site, persons.find(({ name }) => name === "key for everything") as Person);
});
after(() => server.stop());

/** A long list would hide its beginning. */
function assertNone(found: string[]): void {
  assert.equal(found.length, 0, `${found.length}:\n${found.slice(0, 40).join("\n")}`);
}

test("DOOR-2 every operation, and every query parameter of one that reads, has values to be called with", () => {
  const writes = operations.filter(({ method }) => method !== "GET");
  const without = writes
    .filter((operation) => !writesOf(site, operation))
    .map(({ name }) => `${name}: nothing to send`);
  const named = new Set(operations.map(({ name }) => name));
  const gone = Object.keys(unreachable).filter((name) => !named.has(name));
  assert.deepEqual([...missing, ...without], [], "tests/doors/parameters.ts and own-writes.ts say how to call each");
  assert.deepEqual(unknownTools(offers), [], "tests/doors/agents.ts says how to call each tool");
  assert.deepEqual(gone, [], "own-writes.ts names operations that are not there");
});

test("DOOR-1 no answer to a reading holds what its caller may not see", async (t) => {
  const more = undocumented(site, operations).map((make) => async () => make());
  const first = [...new Map(reads.toReversed().map((door) => [door.operation, door])).values()];
  for (const [turn, person] of persons.entries()) {
    const isWhole = isFull || person.isAdmin || telling.includes(person.name);
    // The others try the parameters in turn.
    const own = reads.filter(({ isVariant }, at) => isWhole || !isVariant || (at + turn) % 3 === 0);
    await visit(site, round, person, [...(person.isBrief ? first : own), ...pages(), ...more]);
  }
  t.diagnostic(`${round.requests} requests`);
  assertNone(round.leaks.splice(0));
});

test("DOOR-1 agents get nothing that their caller may not see, and no hidden property", async () => {
  for (const person of persons) await visitAgents(site, round, person, offers);
  assertNone(round.leaks.splice(0));
});

test("DOOR-1 no answer to a write holds what its caller may not see", async (t) => {
  const writes = operations.filter(({ method, path }) => method !== "GET" && path !== "/mcp");
  const before = round.requests;
  for (const person of persons)
    await visit(
      site,
      round,
      person,
      writes.flatMap((operation) => writesOf(site, operation) ?? []),
    );
  t.diagnostic(`${round.requests - before} requests`);
  assertNone(round.leaks.splice(0));
});

test("DOOR-1 the change stream sends nothing that its reader may not see", async () => {
  await visitStreams(site, round, persons);
  assertNone(round.leaks.splice(0));
});

test("DOOR-3 every operation, query parameter and tool has let an administrator in: none was called wrongly", () => {
  const tools = offers.tools.map((name) => `MCP ${name}`);
  const tried = [...operations.map(({ name }) => name), ...tools, ...reads.flatMap(namesOf)];
  const followed = ["GET /mcp", "POST /mcp", "DELETE /mcp"];
  const never = [...new Set(tried)].filter(
    (name) => !round.passed.has(name) && !Object.hasOwn(unreachable, name) && !followed.includes(name),
  );
  assertNone(never.map((name) => `${name}: ${round.refused.get(name) ?? "not sent"}`));
  assertNone(round.faults);
});

test("DOOR-4 every person has got something of each audience that is theirs, and administrators every secret", () => {
  const blind: string[] = [];
  for (const { name, sees, isAdmin } of persons) {
    const got = round.got.get(name) ?? new Set();
    const all = site.secrets.all.filter(({ audience }) => sees.has(audience));
    for (const audience of sees)
      if (!all.some((secret) => secret.audience === audience && got.has(secret.name)))
        blind.push(`${name}: ${audience}`);
    if (isAdmin)
      for (const secret of all)
        if (!got.has(secret.name) && name.startsWith("key")) blind.push(`${name}: ${secret.name}`);
  }
  assertNone(blind);
});

/** Pages of the site, as HTML and as JSON. */
function pages(): Door[] {
  const { ids } = site;
  const paths = ["/", "/all", "/notes/live", `/notes/${ids.draft}`, `/vault/${ids.closed}`, "/hidden", "/robots.txt"];
  return ["text/html", "application/json"].flatMap((accept) =>
    paths.map((path): Door => ({ operation: `GET ${path}`, method: "GET", path, headers: { accept } })),
  );
}

test("DOOR-5 a planted leak is found: plain, packed, in Base64, in a header, cut short", async () => {
  const secret = site.secrets.named("draft title");
  const anonymous = persons[0] as Person;
  const http = process.getBuiltinModule("node:http");
  const answers: Record<string, (answer: import("node:http").ServerResponse) => void> = {
    "/plain": (answer) => answer.end(`{"title":"${secret}"}`),
    "/gzip": (answer) => answer.setHeader("content-encoding", "gzip").end(gzipSync(`<p>${secret}</p>`)),
    "/packed": (answer) => answer.end(gzipSync(secret)),
    "/zip": (answer) => answer.end(zipOf([{ name: "a.json", text: secret }])),
    "/base64": (answer) => answer.end(Buffer.from(`{"a":"${secret}"}`).toString("base64")),
    "/header": (answer) => answer.setHeader("x-title", secret).end(),
    "/upper": (answer) => answer.end(secret.toUpperCase()),
    "/short": (answer) => answer.end(`${secret.slice(0, 18)}...`),
    "/hash": (answer) => answer.end(`{"pin":"$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"}`),
    "/clean": (answer) => answer.end("nothing"),
  };
  const stub = http.createServer((request, answer) => answers[request.url ?? ""]?.(answer));
  await new Promise<void>((listening) => stub.listen(0, "127.0.0.1", listening));
  const agent = keptConnections(1);
  const { port } = stub.address() as import("node:net").AddressInfo;
  for (const path of Object.keys(answers)) {
    const door: Door = { operation: `GET ${path}`, method: "GET", path };
    const seen = await send({ ...server, url: `http://127.0.0.1:${port}` }, agent, door, {});
    const found = leaks(site.secrets, anonymous, door, seen);
    assert.equal(found.length, path === "/clean" ? 0 : 1, path);
    const [name, audience] = path === "/hash" ? ["hash of a password", "nobody"] : ["draft title", "draft"];
    if (path !== "/clean") assert.ok(found[0]?.startsWith(`anonymous got "${name}" (${audience}) from GET ${path}`));
    if (path !== "/clean") assert.match(found[0] ?? "", /\n *curl -X GET '\$SITE\/\w+'/);
    const administrator = persons.find(({ isAdmin }) => isAdmin) as Person;
    assert.equal(leaks(site.secrets, administrator, door, seen).length, path === "/hash" ? 1 : 0);
  }
  agent.destroy();
  stub.close();
});
