import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditEntry } from "@contract/audit.ts";
import { logs } from "#words/en/logs.ts";
import { csvOf } from "./csv.ts";
import { callerOf, detailsOf } from "./entry-text.ts";
import { paramsOf, questionOf, searchOf } from "./question.ts";

const entry = (more: object): AuditEntry => ({ id: "a.1", time: "t", type: "logout", ...more });

test("ADM-856 the address is the question, and what it cannot mean is left out", () => {
  const search = { log: "oauth", type: "token.issued", user: "ada", from: "2026-01-02" };
  assert.deepEqual(searchOf(questionOf(search)), search);
  assert.deepEqual(searchOf(questionOf({ log: "x", type: "token.issued", to: "2026-99-99" })), {});
  assert.deepEqual(paramsOf(questionOf({ to: "2026-01-02" })).until, new Date("2026-01-02T23:59:59.999").toISOString());
});

test("ADM-856 ADM-1003 an entry in words", () => {
  const caller = (actor: string, more = {}) => callerOf(entry({ actor, ...more }), logs);
  assert.equal(caller("user:ada"), "ada");
  assert.equal(caller("user:ada", { impersonator: "root" }), "root as ada");
  assert.equal(caller("key:k1"), "Key k1");
  assert.equal(callerOf(entry({ actor: "key:k1" }), logs, new Map([["k1", "website"]])), "Key website (k1)");
  assert.equal(caller("token:ada:https://x.example/a:b"), "Application https://x.example/a:b for ada");
  assert.equal(caller("system"), "The service");
  assert.deepEqual(detailsOf(entry({ user_id: "ada", scopes: ["a"], ms: 2 })), [
    ["scopes", '["a"]'],
    ["ms", "2"],
  ]);
});

test("ADM-856 exported entries are a table in which nothing is a formula", () => {
  assert.equal(
    csvOf([entry({ name: '=1+"a"' }), entry({ list: [1, 2], user: "b\nc" })]),
    'time,type,user,name,list\r\nt,logout,,"\'=1+""a""",\r\nt,logout,"b\nc",,"[1,2]"\r\n',
  );
});
