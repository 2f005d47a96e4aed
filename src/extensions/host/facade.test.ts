// The types that extensions are written against, compared with what they are given.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Json } from "#contract/json.ts";
import { createFacade } from "./facade.ts";

const types = readFileSync(join(import.meta.dirname, "..", "..", "..", "types", "extension.d.ts"), "utf8");

/** Names of the members of an interface, without those of objects in it. */
function membersOf(name: string): string[] {
  const [, body = ""] =
    new RegExp(`export interface ${name} (?:extends \\w+ )?\\{\\n(.*?)\\n  \\}`, "s").exec(types) ?? [];
  return [...body.matchAll(/^ {4}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member]) => member as string).sort();
}

function nestedMembersOf(name: string, member: string): string[] {
  const [, body = ""] =
    new RegExp(`export interface ${name} \\{.*?readonly ${member}: \\{\\n(.*?)\\n    \\};`, "s").exec(types) ?? [];
  return [...body.matchAll(/^ {6}(\w+)[(<]/gm)].map(([, found]) => found as string).sort();
}

const asked: [string, Json[]][] = [];
const facade = createFacade(
  { id: "acme/map", version: "1.0.0", cairnVersion: "1.0.0", folder: null },
  {
    ask: async (_acting, _call, name, args) => {
      asked.push([name, args]);
      return name === "objects.list" ? { data: [{ id: "a" }], total: 1 } : null;
    },
    settings: () => ({}),
    dataFolder: () => null,
    log: () => {},
  },
);
const { cairn, functions } = facade;
const keysOf = (value: unknown) => Object.keys(value as object).sort();

test("EXT-70 the types of extensions name exactly what the code is given", async () => {
  assert.deepEqual(membersOf("Cairn"), keysOf(cairn));
  const own = cairn.own as Record<string, object>;
  assert.deepEqual(membersOf("Acting"), keysOf(own));
  assert.deepEqual(nestedMembersOf("Acting", "objects"), keysOf(own.objects));
  for (const [name, member] of [
    ["DeckApi", "deck"],
    ["FileApi", "files"],
  ] as const)
    assert.deepEqual(membersOf(name), keysOf(own[member]));
  for (const member of ["views", "mail"]) assert.equal(keysOf(own[member]).length, 1);
  assert.deepEqual(nestedMembersOf("Acting", "jobs"), keysOf(own.jobs));
  assert.deepEqual(membersOf("Store"), keysOf(cairn.store));
  assert.deepEqual(keysOf(cairn.settings), ["all", "get"]);
  assert.deepEqual(keysOf(cairn.log), ["debug", "error", "info", "warn"]);
});

test("EXT-70 a call has the members of its type, and a list is a plain list", async () => {
  const given: object[] = [];
  const keep = (call: object) => given.push(call);
  (cairn.route as (name: string, run: (call: object) => unknown) => void)("near", keep);
  (cairn.command as (name: string, run: (call: object) => unknown) => void)("map:find", keep);
  (cairn.tool as (name: string, run: (call: object) => unknown) => void)("near", keep);
  const running = { actor: {}, requestId: "", signal: undefined, ask: async () => ({ data: [{ id: "a" }], total: 1 }) };
  const request = { method: "GET", path: "/", params: {}, query: {}, headers: {}, body: null };
  functions.get("routes:near")?.(running, [request]);
  functions.get("commands:map:find")?.(running, [{ isJson: false }, {}]);
  functions.get("tools:near")?.(running, [{}]);
  const [route, command, tool] = given;
  assert.deepEqual(keysOf(tool), membersOf("Call"));
  assert.deepEqual(keysOf(route), [...membersOf("Call"), ...membersOf("RouteCall")].sort());
  assert.deepEqual(keysOf(command), [...membersOf("Call"), ...membersOf("CommandCall")].sort());
  const { as } = tool as { as: { objects: { list(collection: string): Promise<Json> } } };
  assert.deepEqual(await as.objects.list("places"), [{ id: "a" }]);
});
