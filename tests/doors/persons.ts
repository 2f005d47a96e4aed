// Everybody who knocks at the doors: how they show who they are, and what they may see. To add one: a line in `users`, `keys` or
// `tokens`. What a person sees is the least that is true: DOOR-4 fails for an audience of which the person gets nothing.

import type { Server } from "../harness.ts";
import { type Client, connect, makeClient } from "../support/oauth-app.ts";
import { makeUser, type Person as SignedIn, signIn } from "../support/sign-in.ts";
import { type Audience, audiences } from "./secrets.ts";

export interface Person {
  name: string;
  headers: Record<string, string>;
  sees: ReadonlySet<Audience>;
  /** Gets everything that a door has: an operation that works for none of these lacks parameters. */
  isAdmin: boolean;
  /** Reaches agents alone: asks each operation once, without its parameters. */
  isBrief: boolean;
}

const everything = (Object.keys(audiences) as Audience[]).filter((name) => name !== "nobody");
const notes: Audience[] = ["draft", "draft-file"];
const vault: Audience[] = ["closed", "closed-draft", "closed-file"];
const content: Audience[] = [...notes, ...vault];
const trash: Audience[] = ["trash", "closed-trash"];
const log: Audience[] = ["history", "closed-history"];
const made: Audience[] = ["builder", "mail"];
/** What a token of an administrator opens with cms:admin. */
const elevated: Audience[] = [...content, ...log, ...made, "locked", "members", "users", "code", "runs", "views"];

const all = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const grant = (operations: string[], allowed: string[]) => ({ collections: { operations, allowed } });
const groups: Record<string, object> = {
  nothing: {},
  readers: grant(["read"], ["notes"]),
  members: grant(["read"], ["notes", "board"]),
  builders: { ...grant(["read"], ["builder-pages"]), builder: true },
};

/** A user of these groups, who signs in. */
const users: [id: string, groups: string[], sees: Audience[]][] = [
  ["outsider", ["nothing"], []],
  // The shipped group "default" reads everything.
  ["nogroups", [], [...content, "locked"]],
  ["reader", ["readers"], [...notes, "locked"]],
  ["member", ["members"], [...notes, "locked", "members"]],
  ["editor", ["editor"], [...content, ...trash, ...log, "mail", "locked"]],
  ["builder", ["builders"], ["builder"]],
  ["root", ["admin"], everything],
];

const keys: [name: string, methods: string[], endpoints: string[], sees: Audience[], published?: true][] = [
  ["for everything", all, ["*"], everything],
  ["published", all, ["*"], ["closed", "closed-file", "locked", "members", "runs", ...made], true],
  ["for notes", all, ["/collections/notes"], notes],
  ["for notes and images", all, ["/collections/notes", "/imageworks"], [...notes, "closed-file"]],
  ["for notes and trash", all, ["/collections/notes", "/trash"], [...notes, "trash"]],
  ["for notes and downloads of vault", ["GET"], ["/collections/notes", "/download/vault"], [...notes, "closed-file"]],
  ["for changes and images", ["GET", "POST"], ["/changes", "/imageworks"], ["draft-file", "closed-file"]],
  ["for trash and exports", all, ["/trash", "/export"], [...content, ...trash, ...made]],
  ["for agents", ["POST"], ["/mcp"], [...content, ...log, "mail"]],
  ["for exports", ["GET"], ["/export"], [...content, ...made]],
];

/** An application with a token of this user. */
const tokens: [user: string, scope: string, sees: Audience[]][] = [
  ["reader", "cms:read", [...notes, "locked"]],
  ["editor", "cms:read", [...content, ...log, "mail", "locked"]],
  ["editor", "cms:write", ["draft", "draft-file", "closed", "closed-file"]],
  ["root", "cms:read", [...content, ...log, ...made, "locked", "views"]],
  ["root", "cms:admin", elevated],
  ["reader", "mcp:tools mcp:resources mcp:prompts", ["draft"]],
  ["editor", "mcp:tools", []],
  ["editor", "mcp:resources", ["draft", "closed"]],
  ["editor", "mcp:prompts", []],
  ["editor", "cms:read mcp:tools mcp:resources", [...content, ...log, "mail", "locked"]],
  ["root", "cms:admin mcp:tools mcp:resources mcp:prompts", elevated],
];

export async function makePersons(server: Server): Promise<Person[]> {
  for (const [id, permissions] of Object.entries(groups)) {
    const { status, text } = await server.request("PUT", `/api/access-groups/${id}`, { body: { permissions } });
    if (status >= 300) throw new Error(text);
  }
  const persons: Person[] = [person("anonymous", {}, [])];
  const signedIn = new Map<string, SignedIn>();
  for (const [id, member, sees] of users) {
    await makeUser(server, id, member);
    const user = await signIn(server, id);
    signedIn.set(id, user);
    persons.push(person(`user ${id}`, { cookie: user.cookie, "x-csrf-token": user.token }, sees, id === "root"));
  }
  for (const [name, methods, endpoints, sees, published = false] of keys) {
    const { key } = await server.makeKey({ name, methods, endpoints, published });
    persons.push(person(`key ${name}`, { "x-api-key": key }, sees, name === "for everything"));
  }
  const client = await makeClient(server);
  for (const [id, scope, sees] of tokens) {
    const headers = await tokenFor(server, signedIn.get(id) as SignedIn, client, scope);
    persons.push({ ...person(`token of ${id} for ${scope}`, headers, sees), isBrief: !scope.includes("cms:") });
  }
  return persons;
}

async function tokenFor(server: Server, user: SignedIn, client: Client, scope: string) {
  const { accessToken } = await connect(server, user, { client, scope });
  return { authorization: `Bearer ${accessToken}` };
}

function person(name: string, headers: Person["headers"], sees: Audience[], isAdmin = false): Person {
  return { name, headers, sees: new Set(sees), isAdmin, isBrief: false };
}
