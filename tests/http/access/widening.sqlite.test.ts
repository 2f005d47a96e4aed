// Whether a limited key, token or user can end with more than they began with: each sends to every route that writes
// what would widen rights (tests/matrix/attacks.ts), and then it is asked what they, nobody in particular, and whoever
// the attack may have made can read, and whether anything has changed that decides about rights.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Operation } from "#contract/collections.ts";
import { type Answer, type Server, startServer } from "../../harness.ts";
import { attacksOn, canary, evil, toolAttacks } from "../../matrix/attacks.ts";
import { kept, makePlaces, type Place, places } from "../../matrix/collections.ts";
import { contentRoots, rows } from "../../matrix/routes.ts";
import { makeGroup, makeUser, password, sessionOf, signIn } from "../../matrix/sessions.ts";
import { connect as connectAgent } from "../../mcp/tool-caller.ts";
import { connect, makeClient } from "../../support/oauth-app.ts";
import { confirm, logIn, personOf } from "../../support/sign-in.ts";

type Headers = Record<string, string>;
interface Attacker {
  name: string;
  headers: Headers;
  /** Has a way in at /mcp. */
  isAgent?: boolean;
  /** May make users, who are in the default group. */
  makesUsers?: boolean;
  /** What it may write of that which decides about rights. */
  entitled?: string[];
}

const view = { id: kept, name: "V", definition: "export default () => []" };
const dataviews: Place = {
  ...(places.find(({ id }) => id === "mailer") as Place),
  id: "dataviews",
  object: (id) => ({ ...view, id }),
};
const vault: Place = { ...(places[0] as Place), id: "vault" };
/** Where objects that widen rights would be, a closed collection, and an open one. */
const targets = [...places.filter(({ id }) => ["open", "auth", "automations"].includes(id)), vault, dataviews];

let server: Server;
let attackers: Attacker[];
before(async () => {
  server = await startServer({ hasOAuth: true, settings: { api: { rateLimit: 0 } } });
  await makePlaces(server);
  await server.makeCollection({ id: "vault", schema: "matrix" });
  await server.request("POST", "/api/collections/vault", { body: { id: "canary", title: canary } });
  await server.request("POST", "/api/collections/dataviews", { body: view });
  await makeUser(server, "admin-user", ["admin"]);
  attackers = [...(await keys()), ...(await users()), ...(await tokens())];
});
after(() => server.stop());

async function keys(): Promise<Attacker[]> {
  const all = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const made = [
    ["/collections"],
    ["/collections/open"],
    ["/collections/auth"],
    ["/import"],
    ["/import/jumpstart"],
    ["/mcp"],
    ["/schemas", "/templates", "/template-history"],
    ["/automations", "/dataviews", "/cache", "/extensions", "/metrics", "/upload"],
    ["/report", "/export", "/download", "/stream", "/imageworks"],
    ["/collections", "/import", "/export", "/schemas", "/templates", "/automations", "/mcp", "/report"],
  ].map(async (endpoints): Promise<Attacker> => {
    const key = await makeKey({ methods: all, endpoints });
    const isAgent = endpoints.includes("/mcp");
    const makesUsers = endpoints[0] === "/collections/auth";
    // The settings of the users' collection open nothing, whatever they say.
    return { name: `key ${endpoints}`, headers: key, isAgent, makesUsers, entitled: makesUsers ? ["open"] : [] };
  });
  const writing = await makeKey({ methods: ["POST", "PUT", "PATCH"], endpoints: ["/collections"] });
  const published = await makeKey({ methods: all, endpoints: ["*"], published: true });
  return [
    ...(await Promise.all(made)),
    { name: "published key", headers: published, isAgent: true },
    { name: "key to write", headers: writing },
  ];
}

async function makeKey(body: object): Promise<Headers> {
  const answer = await server.request("POST", "/api/apikeys", { body: { name: "limited", ...body } });
  return { "x-api-key": answer.body.data.key };
}

async function users(): Promise<Attacker[]> {
  const crud: Operation[] = ["create", "read", "update", "delete"];
  await makeGroup(server, "empty", {});
  await makeGroup(server, "content", { collections: { operations: crud, allowed: ["open"] } });
  await makeGroup(server, "greedy", {
    collections: { operations: crud, allowed: ["auth", "automations", "mcp-prompt"] },
    collectionsMeta: { operations: crud, allowed: ["auth", "automations"] },
  });
  await makeGroup(server, "views", { collections: { operations: crud, allowed: ["dataviews"] }, dataviews: true });
  const groups = ["viewer", "editor", "empty", "content", "greedy", "views"];
  return Promise.all(
    groups.map(async (group): Promise<Attacker> => {
      await makeUser(server, `${group}-user`, [group]);
      const entitled = group === "views" ? ["views"] : [];
      return { name: `user of ${group}`, headers: await signIn(server, `${group}-user`), entitled };
    }),
  );
}

async function tokens(): Promise<Attacker[]> {
  const client = await makeClient(server);
  const made: Attacker[] = [];
  for (const [user, scope, resource] of [
    ["admin-user", "cms:write", ""],
    ["admin-user", "mcp:tools cms:read cms:write", "/mcp"],
    ["editor-user", "cms:read cms:write cms:admin mcp:tools", ""],
    ["greedy-user", "cms:read cms:write mcp:tools", ""],
  ] as const) {
    const person = personOf(server, await logIn(server, { login: user, password }));
    await confirm(person, password);
    const { accessToken } = await connect(server, person, { client, scope, resource: server.url + resource });
    const headers = { authorization: `Bearer ${accessToken}` };
    const entitled = scope === "cms:write" ? ["views"] : [];
    made.push({ name: `token of ${user} for ${scope}`, headers, isAgent: scope.includes("mcp:"), entitled });
  }
  return made;
}

/** What is read to see how far a caller gets; the last ones are there only if an attack has brought them about. */
const vaulted = "/api/collections/vault/canary";
const userRecord = `/api/collections/auth/${kept}`;
const probes = [
  vaulted,
  "/api/collections/vault/settings",
  ...["auth", "automations", "dataviews"].flatMap((id) => [
    `/api/collections/${id}/${kept}`,
    `/api/collections/${id}/settings`,
    `/api/export/collections/${id}`,
    `/api/report/collections/${id}/json?fields=id`,
  ]),
  ...["apikeys", "access-groups", "settings/mcp", "sync/export", "jobs", "webhooks", "oauth-clients"].map(
    (name) => `/api/${name}`,
  ),
  "/api/automations/kept/runs",
  "/api/dataviews/evil/data",
  "/api/collections/open/query?format=html&template=evil",
  "/api/collections/open/query?format=html&template=query/evil",
];

const isSecret = ({ text }: Answer) => text.includes(canary) || text.includes("admin-user@example.org");

async function readable(headers: Headers): Promise<string[]> {
  const found = await Promise.all(
    probes.map(async (path) => {
      const answer = await server.request("GET", path, { key: null, headers });
      return answer.status === 200 && (!path.includes("evil") || isSecret(answer)) ? [path] : [];
    }),
  );
  // A copy counts as what it is a copy of.
  const { status, text } = await server.request("GET", "/api/export/collections/open", { key: null, headers });
  const copies = Object.entries({ [vaulted]: canary, [userRecord]: "admin-user@example.org" });
  return [
    ...found.flat(),
    ...copies.flatMap(([path, secret]) => (status === 200 && text.includes(secret) ? [path] : [])),
  ];
}

/** Whatever decides about rights, as the administrator sees it. */
async function rights(): Promise<Record<string, unknown>> {
  const get = async (path: string) => (await server.request("GET", `/api/${path}`)).body;
  const [users, automations, views] = await Promise.all(
    ["auth", "automations", "dataviews"].map(async (id) => (await get(`collections/${id}?limit=100`)).data as Entry[]),
  );
  const settings = ["auth", "automations", "dataviews"].map(async (id) => {
    const { publicOperations, publicFiles, groups, mcp, schema } = (await get(`collections/${id}/settings`)).data;
    return [id, { publicOperations, publicFiles, groups, mcp, schema }];
  });
  const login = await server.request("POST", "/api/auth/login", {
    ...{ key: null, body: { email: "admin-user@example.org", password } },
  });
  return {
    keys: (await get("apikeys")).data.map(({ lastUsed: _, ...key }: Entry) => key),
    groups: (await get("access-groups")).data,
    settings: [(await get("settings/mcp")).data, (await get("settings/files")).data],
    clients: (await get("oauth-clients")).data.length,
    webhooks: (await get("webhooks")).data,
    admins: users?.filter(({ groups }) => groups?.includes("admin")).map(({ id, email }) => `${id} ${email}`),
    signsIn: login.status,
    automations: automations?.map(({ id, handler, enabled }) => ({ id, handler, enabled })),
    views: views?.map(({ id, definition }) => ({ id, definition })),
    open: Object.fromEntries(await Promise.all(settings)),
  };
}
// biome-ignore lint/suspicious/noExplicitAny: objects of many collections
type Entry = Record<string, any>;

/** Headers of whoever an attack has made or taken over. */
async function intruders(): Promise<Headers[]> {
  const tries = [
    evil,
    { email: "admin-user@example.org", password: evil.password },
    { ...evil, email: "kept@example.net" },
  ];
  const answers = await Promise.all(
    tries.map((body) => server.request("POST", "/api/auth/login", { key: null, body })),
  );
  return answers.filter(({ status }) => status === 200).map(sessionOf);
}

let count = 0;

/** Which of the other addresses of the content routes is tried: both in a full run, else one by each attacker in turn. */
const isTried = (alias: number, turn: number) =>
  alias <= 0 || process.env.CAIRN_TEST_FULL === "1" || alias === 1 + (turn % (contentRoots.length - 1));

async function attack({ headers, isAgent }: Attacker, turn = 0): Promise<void> {
  for (const row of rows) {
    // Deleting gives nobody a right, and sessions are not what a limited caller has.
    if (["GET", "DELETE"].includes(row.method) || row.spendsSession || row.url.startsWith("/api/auth/")) continue;
    const alias = contentRoots.findIndex((content) => row.url.startsWith(content));
    if (!isTried(alias, turn)) continue;
    const isAlias = alias > 0;
    const some = row.isPerPlace ? (isAlias ? targets.filter(({ id }) => id === "auth") : targets) : targets.slice(0, 1);
    const sent = some.flatMap((place) => {
      const sending = { place, object: kept, fresh: `w-${count}` };
      return attacksOn(`${row.method} ${row.url}`, sending, () => row.send(sending));
    });
    count += sent.length;
    await Promise.all(
      sent.map(async ({ path, headers: more, ...body }) => {
        const { status } = await server.request(row.method, path, {
          key: null,
          headers: { ...headers, ...more },
          ...body,
        });
        // A service that is not set up here, such as mail, is 503 for those who may use it.
        if (status >= 500 && status !== row.status) throw new Error(`${row.method} ${path} is ${status}`);
      }),
    );
  }
  if (!isAgent) return;
  const agent = await connectAgent(server, headers);
  for (const [tool, args] of toolAttacks) {
    const { result } = await agent.call(tool, args);
    assert.ok(!JSON.stringify(result ?? {}).includes("admin-user@example.org"), `${tool} ${JSON.stringify(args)}`);
  }
}

/** What a caller with rights over content may have changed, so that the next one begins as this one did. */
async function restore(): Promise<void> {
  for (const { id, publicOperations } of [...places, vault, dataviews]) {
    const settings = { publicOperations, publicFiles: null, groups: [], mcp: { access: "admin" } };
    await server.request("PATCH", `/api/collections/${id}/settings`, { body: settings });
  }
  await server.request("DELETE", "/api/collections/dataviews/evil");
  await server.request("PUT", `/api/collections/dataviews/${kept}`, { body: view });
  await server.request("PATCH", userRecord, { body: { password, email: `${kept}@example.net` } });
  await server.request("DELETE", "/api/collections/open?confirm=open");
  await server.makeCollection({ id: "open", schema: "matrix", publicOperations: ["create", "update", "delete"] });
  await server.request("POST", "/api/collections/open", { body: { id: kept, title: "T" } });
}

test("KEY-27 no limited key, token or user ends with more than it began with", async (t) => {
  const gained: Record<string, unknown> = {};
  const nobody: Headers = {};
  for (const [turn, attacker] of attackers.entries()) {
    const had = new Set([...(await readable(attacker.headers)), ...(await readable(nobody))]);
    // Users without a group read all content; who may make users may give that.
    if (attacker.makesUsers) had.add(vaulted);
    const decided = await rights();
    await attack(attacker, turn);
    const callers = [attacker.headers, nobody, ...(await intruders())];
    const found = (await Promise.all(callers.map(readable))).flat();
    const more = [...new Set(found)].filter((path) => !had.has(path));
    const now = await rights();
    const decisive = Object.keys(now).filter((name) => !attacker.entitled?.includes(name));
    const changed = decisive.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(decided[name]));
    if (more.length > 0 || changed.length > 0) gained[attacker.name] = { more, changed };
    await restore();
  }
  t.diagnostic(`${attackers.length} callers, ${count} attacks`);
  assert.deepEqual(gained, {});
});

test("KEY-27 a key for everything is not held by any of this: the attacks work where they may", async () => {
  await attack({ name: "full key", headers: { "x-api-key": server.key } });
  assert.ok((await intruders()).length > 0);
  assert.ok((await rights()).automations);
});
