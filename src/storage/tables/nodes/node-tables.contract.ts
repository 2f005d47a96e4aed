// The tables that nodes share, on every engine (scripts/check-contracts.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Storage } from "#storage/port.ts";
import * as definitions from "./definitions.ts";
import * as logs from "./log-lines.ts";
import * as nodes from "./nodes.ts";

const early = "2026-01-01T00:00:00.000Z";

export function nodeTablesContract(database: () => Storage): void {
  test("NOD-1 definitions: a change that was made from an older content is refused", async () => {
    const db = database();
    const change = (content: string | null, more: Partial<definitions.DefinitionChange> = {}) =>
      db.write((tx) => definitions.changeDefinition(tx, { kind: "tk", id: "a", content, updated: early, ...more }));
    const created = await Promise.all([1, 2, 3].map((n) => change(`${n}`, { expected: null })));
    assert.deepEqual(created.filter(Boolean), [true]);
    const [first] = await definitions.listDefinitions(db, ["tk", "none"]);
    const { hash, rev } = first as definitions.DefinitionHead;
    const version = db.version("definitions");
    assert.equal(await change("second", { expected: { hash, rev }, known: ["2nd"] }), true);
    assert.notEqual(db.version("definitions"), version);
    assert.equal(await change("third", { expected: { hash, rev } }), false);
    const [row] = await definitions.findDefinitions(db, "tk", ["a", "b"]);
    const [now, known] = ["second", "2nd"].map((text) => definitions.definitionHash(text));
    assert.deepEqual([row?.content, row?.rev, row?.hash, row?.former], ["second", 2, now, [known, hash]]);
    assert.equal(await change("fourth"), true);
    assert.equal(await change(null), true);
    assert.deepEqual(await definitions.listDefinitions(db, ["tk"]), []);
  });

  test("STO-101 server processes", async () => {
    const db = database();
    const times = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"] as const;
    const node = (id: string, seen: string) => ({
      ...{ id, version: "1.0.0", knows: "0069-nodes", host: "h", pid: 7, started: times[0], seen },
    });
    const put = (id: string, seen: string) => db.write((tx) => nodes.putNode(tx, node(id, seen)));
    await put("n1", times[0]);
    await put("n2", times[1]);
    await put("n3", times[0]);
    await put("n1", times[2]);
    const list = async () => (await nodes.listNodes(db)).map(({ id, seen }) => [id, seen]);
    assert.deepEqual(await list(), [
      ["n1", times[2]],
      ["n2", times[1]],
      ["n3", times[0]],
    ]);
    assert.deepEqual({ ...(await nodes.listNodes(db))[1] }, node("n2", times[1]));
    await db.write((tx) => nodes.deleteNodesBefore(tx, times[1]));
    await db.write((tx) => nodes.deleteNode(tx, "n2"));
    assert.deepEqual(await list(), [["n1", times[2]]]);
    await db.write((tx) => nodes.deleteNode(tx, "n1"));
  });

  test("AUD-14 lines of logs, by time and by what was stored after a line", async () => {
    const db = database();
    const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
    const line = (name: string, day: number, log = "tl") => ({ log, at: at(day), line: name });
    await db.write((tx) => logs.insertLogLines(tx, [line("a", 2), line("b", 2), line("x", 2, "other")]));
    await db.write((tx) => logs.insertLogLines(tx, [line("late", 1), line("c", 3)]));
    const list = (part: Partial<logs.LogPart> = {}) => logs.listLogLines(db, { log: "tl", limit: 10, ...part });
    const names = async (part?: Partial<logs.LogPart>) => (await list(part)).map((row) => row.line);
    assert.deepEqual(await names(), ["c", "b", "a", "late"]);
    assert.deepEqual(await names({ isOldestFirst: true, limit: 3 }), ["late", "a", "b"]);
    assert.deepEqual(await names({ since: at(2), until: at(2) }), ["b", "a"]);
    const [, b] = await list();
    assert.deepEqual(await names({ before: b }), ["a", "late"]);
    assert.deepEqual(await names({ from: b, isOldestFirst: true }), ["c"]);
    assert.deepEqual(await names({ after: b?.seq }), ["c", "late"]);
    assert.equal(await db.write((tx) => logs.deleteLogLinesBefore(tx, "tl", at(3), 2)), 2);
    assert.deepEqual(await names(), ["c", "b"]);
    await db.write((tx) => logs.deleteLogLinesBefore(tx, "tl", at(9), 10));
    assert.deepEqual(await names(), []);
  });
}
