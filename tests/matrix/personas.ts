// Everybody who may knock: without credentials, with keys of every limit, and signed in with every kind of group.

import type { Operation } from "#contract/collections.ts";
import type { Server } from "../harness.ts";
import { type Client, claimsOf, connect, makeClient } from "../support/oauth-app.ts";
import { confirm, logIn, personOf } from "../support/sign-in.ts";
import { makeGroup, makeUser, password, type SessionHeaders, sessionOf, signIn } from "./sessions.ts";

/** `*` is all of them. */
type Names = "*" | string[];
export interface Grant {
  objects?: [Operation[], Names];
  collections?: [Operation[], Names];
  schemas?: [Operation[], Names];
  switches?: string[];
  utils?: string[];
}

export type Who =
  | { kind: "nobody" }
  /** A credential that does not hold: an unknown key, or a session that has ended. */
  | { kind: "refused"; hadSession: boolean }
  | { kind: "key"; methods: string[]; endpoint: string; published: boolean }
  /** An application, with what its approver has; `resource`: the only one that its token is for. */
  | { kind: "token"; scopes: string[]; isAdmin: boolean; grants: Grant[]; resource?: "/api" | "/mcp" }
  | { kind: "user"; isAdmin: boolean; isImpersonated: boolean; hasToken: boolean; grants: Grant[] };

export interface Persona {
  name: string;
  who: Who;
  headers: Record<string, string>;
  /** A session of its own, for requests that end it. */
  renew(): Promise<Record<string, string>>;
}

const crud: Operation[] = ["create", "read", "update", "delete"];
const reading: Grant = { objects: [["read"], "*"] };

/** What the shipped groups hold by the specification. */
const shipped: Record<string, Grant> = {
  editor: {
    objects: [crud, "*"],
    collections: [["read"], "*"],
    schemas: [["read"], "*"],
    switches: ["mailer"],
    utils: ["jumpstart"],
  },
  viewer: reading,
  default: reading,
};
const own: Record<string, Grant> = {
  reader: { objects: [["read"], ["closed"]] },
  writer: { objects: [["create", "update"], ["closed"]] },
  content: { objects: [crud, "*"], switches: ["builder"] },
  post: { objects: [["read", "update"], ["mailer"]], switches: ["mailer"] },
  curator: {
    collections: [crud, ["closed"]],
    schemas: [
      ["read", "update", "delete"],
      ["matrix", "spare"],
    ],
  },
  architect: { collections: [crud, "*"], schemas: [crud, "*"] },
  greedy: { objects: [crud, ["auth", "automations"]], collections: [crud, ["auth", "automations"]] },
  empty: {},
};

const signedIn = {
  kind: "user",
  isAdmin: false,
  isImpersonated: false,
  hasToken: true,
  grants: [] as Grant[],
} as const;

export async function makePersonas(server: Server): Promise<Persona[]> {
  for (const [id, grant] of Object.entries(own)) await makeGroup(server, id, permissionsOf(grant));
  await makeGroup(server, "gone", { collections: { operations: crud, all: true } });

  const personas: Persona[] = [persona("anonymous", { kind: "nobody" }, {})];
  personas.push(persona("unknown key", { kind: "refused", hadSession: false }, { "x-api-key": "cairn_unknown" }));
  for (const [name, methods, endpoint, published = false] of [
    ["key to read", ["GET"], "*"],
    ["key to one collection", ["GET", "POST", "PUT", "PATCH", "DELETE"], "/collections/open"],
    ["key to all collections", ["GET", "POST", "PUT", "PATCH", "DELETE"], "/collections"],
    ["key to import", ["GET", "POST"], "/import"],
    ["key to the users", ["GET", "POST", "PUT", "PATCH", "DELETE"], "/collections/auth"],
    ["key to elsewhere", ["GET", "POST", "PUT", "PATCH", "DELETE"], "/mcp"],
    ["published key", ["GET", "POST", "PUT", "PATCH", "DELETE"], "*", true],
    ["full key", ["GET", "POST", "PUT", "PATCH", "DELETE"], "*"],
  ] as [string, string[], string, boolean?][]) {
    const body = { name, methods, endpoints: [endpoint], published };
    const { key } = (await server.request("POST", "/api/apikeys", { body })).body.data;
    personas.push(persona(name, { kind: "key", methods, endpoint, published }, { "x-api-key": key }));
  }

  for (const [id, groups, grants] of [
    ["admin-user", ["admin"], []],
    ["editor-user", ["editor"], [shipped.editor]],
    ["viewer-user", ["viewer"], [shipped.viewer]],
    ["default-user", ["default"], [shipped.default]],
    ["user-without-group", [], [shipped.default]],
    ["member-user", ["member"], []],
    ["reader-user", ["reader"], [own.reader]],
    ["writer-user", ["writer"], [own.writer]],
    ["reader-of-two", ["reader", "post"], [own.reader, own.post]],
    ["content-user", ["content"], [own.content]],
    ["curator-user", ["curator"], [own.curator]],
    ["architect-user", ["architect"], [own.architect]],
    ["greedy-user", ["greedy"], [own.greedy]],
    ["empty-user", ["empty"], [own.empty]],
    ["lost-user", ["gone"], []],
  ] as [string, string[], Grant[]][]) {
    await makeUser(server, id, groups);
    const who: Who = { ...signedIn, isAdmin: groups.includes("admin"), grants };
    personas.push(persona(id, who, await signIn(server, id), () => signIn(server, id)));
  }
  await server.request("DELETE", "/api/access-groups/gone");

  await makeUser(server, "former", ["admin"]);
  const ended = await signIn(server, "former");
  await server.request("PATCH", "/api/collections/auth/former", { body: { active: false } });
  personas.push(persona("disabled user", { kind: "refused", hadSession: true }, ended));

  const takePlace = async (): Promise<SessionHeaders> => {
    const headers = await signIn(server, "admin-user");
    return sessionOf(await server.request("POST", "/api/auth/impersonate/reader-user", { key: null, headers }));
  };
  const guest: Who = { ...signedIn, isImpersonated: true, grants: [own.reader as Grant] };
  personas.push(persona("admin as reader-user", guest, await takePlace(), takePlace));

  const { cookie } = await signIn(server, "admin-user");
  personas.push(persona("admin-user without token", { ...signedIn, isAdmin: true, hasToken: false }, { cookie }));
  personas.push(...(await makeTokens(server)));
  return personas;
}

async function makeTokens(server: Server): Promise<Persona[]> {
  const client = await makeClient(server);
  const personas: Persona[] = [];
  for (const [user, scope, grants, resource] of [
    ["admin-user", "cms:read", []],
    ["admin-user", "cms:write", []],
    ["admin-user", "cms:admin", []],
    ["admin-user", "mcp:tools mcp:resources mcp:prompts", []],
    ["editor-user", "cms:read", [shipped.editor]],
    ["editor-user", "cms:read cms:write mcp:tools", [shipped.editor]],
    ["editor-user", "cms:admin", [shipped.editor]],
    ["architect-user", "cms:admin", [own.architect]],
    ["greedy-user", "cms:admin", [own.greedy]],
    ["admin-user", "cms:admin mcp:tools", [], "/api"],
    ["admin-user", "cms:admin mcp:tools", [], "/mcp"],
  ] as [string, string, Grant[], ("/api" | "/mcp")?][]) {
    const headers = await tokenOf(server, user, { client, scope, resource });
    const isAdmin = user === "admin-user";
    const who: Who = { kind: "token", scopes: scope.split(" "), isAdmin, grants, ...(resource && { resource }) };
    personas.push(persona(`token of ${user} for ${scope} at ${resource ?? "both"}`, who, headers));
  }
  const revoked = await tokenOf(server, "admin-user", { client, scope: "cms:admin" });
  await server.request("DELETE", `/api/oauth-grants/${claimsOf(revoked.authorization).grant_id}`);
  personas.push(persona("revoked token", { kind: "refused", hadSession: false }, revoked));
  return personas;
}

async function tokenOf(
  server: Server,
  user: string,
  { resource, ...asked }: { client: Client; scope: string; resource?: string | undefined },
): Promise<{ authorization: string }> {
  const person = personOf(server, await logIn(server, { login: user, password }));
  await confirm(person, password);
  const { accessToken } = await connect(server, person, {
    ...asked,
    ...(resource !== undefined && { resource: server.url + resource }),
  });
  return { authorization: `Bearer ${accessToken}` };
}

function persona(
  name: string,
  who: Who,
  headers: Record<string, string>,
  renew: Persona["renew"] = async () => headers,
): Persona {
  return { name, who, headers, renew };
}

function permissionsOf({ objects, collections, schemas, switches = [] }: Grant): object {
  const part = ([operations, names]: [Operation[], Names] = [[], []]) =>
    names === "*" ? { operations, all: true } : { operations, allowed: names };
  return {
    collections: part(objects),
    collectionsMeta: part(collections),
    schemas: part(schemas),
    ...Object.fromEntries(switches.map((name) => [name, true])),
  };
}
