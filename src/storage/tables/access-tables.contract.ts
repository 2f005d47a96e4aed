// The tables about callers on every engine: each function once, so that most tests need one engine only
// (scripts/check-contracts.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { objectWrite } from "#storage/contract-samples.ts";
import type { Storage } from "#storage/port.ts";
import * as tokens from "./account-tokens.ts";
import * as claims from "./caches/request-claims.ts";
import * as authors from "./code-authors.ts";
import * as counters from "./counters.ts";
import * as groups from "./groups.ts";
import * as keys from "./keys.ts";
import * as leases from "./leases.ts";
import * as answers from "./mcp-answers.ts";
import * as mcp from "./mcp-sessions.ts";
import * as clients from "./oauth-clients.ts";
import * as grants from "./oauth-grants.ts";
import * as oauth from "./oauth-tokens.ts";
import { insertObject } from "./object-writes.ts";
import * as passkeys from "./passkeys.ts";
import * as preferences from "./preferences.ts";
import * as sessions from "./sessions.ts";
import * as users from "./users.ts";

/** Times in their order. */
const [early, now, late, never] = [1, 2, 3, 4].map((day) => `2026-01-0${day}T00:00:00.000Z`) as [
  string,
  string,
  string,
  string,
];

export function accessTablesContract(database: () => Storage): void {
  test("STO-101 account tokens", async () => {
    const db = database();
    const row: tokens.TokenRow = {
      ...{ hash: "t1", purpose: "reset", userId: "ann", userRid: 999_999_999 },
      ...{ created: early, expires: late },
    };
    await db.write(async (tx) => {
      await tokens.insertToken(tx, row);
      await tokens.insertToken(tx, { ...row, hash: "t2", purpose: "address" });
      await tokens.insertToken(tx, { ...row, hash: "t3", purpose: "verify", expires: early });
    });
    assert.deepEqual({ ...(await tokens.findToken(db, "t1")) }, row);
    assert.equal(await tokens.hasToken(db, row), true);
    assert.equal(await tokens.hasToken(db, { ...row, userRid: 8 }), false);
    assert.deepEqual({ ...(await db.write((tx) => tokens.takeToken(tx, "t1"))) }, row);
    assert.equal(await db.write((tx) => tokens.takeToken(tx, "t1")), undefined);
    assert.equal(await db.write((tx) => tokens.deleteTokensOf(tx, "ann", "address")), 1);
    assert.equal(await db.write((tx) => tokens.deleteExpiredTokens(tx, now)), 1);
    assert.equal(await db.write((tx) => tokens.deleteTokensOf(tx, "ann")), 0);
  });

  test("STO-101 authors of code", async () => {
    const db = database();
    await db.write(async (tx) => {
      await authors.putCodeAuthor(tx, "c", "a", { digest: "1", author: "{}" });
      await authors.putCodeAuthor(tx, "c", "a", { digest: "2", author: "[]" });
      await authors.putCodeAuthor(tx, "c", "b", { digest: "3", author: "{}" });
      await authors.putCodeAuthor(tx, "c", "d", { digest: "4", author: "{}" });
      await authors.deleteCodeAuthor(tx, "c", "b");
    });
    assert.deepEqual({ ...(await authors.findCodeAuthor(db, "c", "a")) }, { digest: "2", author: "[]" });
    assert.equal(await authors.findCodeAuthor(db, "c", "b"), undefined);
    await db.write((tx) => authors.deleteCodeAuthors(tx, "c"));
    assert.equal(await authors.findCodeAuthor(db, "c", "d"), undefined);
  });

  test("STO-101 counters", async () => {
    const db = database();
    const add = (time: number) =>
      db.write((tx) => counters.addToCounter(tx, "tries", { amount: 2, now: time, windowMs: 1_000_000_000_000 }));
    assert.deepEqual({ ...(await add(1)) }, { name: "tries", count: 2, expires: 1_000_000_000_001 });
    assert.equal((await add(2)).count, 4);
    assert.equal((await counters.findCounter(db, "tries", 5))?.count, 4);
    assert.equal((await add(1_000_000_000_001)).count, 2);
    assert.equal(await db.write((tx) => counters.deleteExpiredCounters(tx, 1, 10)), 0);
    assert.equal(await db.write((tx) => counters.deleteCounter(tx, "tries")), 1);
    assert.equal(await counters.findCounter(db, "tries", 5), undefined);
    const first = (now: number) => db.write((tx) => counters.countFirst(tx, "once", { now, windowMs: 10 }));
    assert.deepEqual(
      [await first(1), await first(2), await first(10), await first(11), await first(20)],
      [...[true, false, false, true, false]],
    );
    assert.deepEqual({ ...(await counters.findCounter(db, "once", 11)) }, { name: "once", count: 1, expires: 21 });
    await db.write((tx) => counters.deleteCounter(tx, "once"));
    for (const name of ["a", "b", "c"])
      await db.write((tx) => counters.addToCounter(tx, name, { amount: 1, now: 1, windowMs: 10 }));
    const sweep = (now: number) => db.write((tx) => counters.deleteExpiredCounters(tx, now, 2));
    assert.deepEqual([await sweep(10), await sweep(11), await sweep(11), await sweep(11)], [0, 2, 1, 0]);
  });

  test("STO-101 claims of requests", async () => {
    const db = database();
    const claim = (owner: string, time: number) =>
      db.write((tx) => claims.insertClaim(tx, { name: "n", owner, digest: owner, expires: time + 10 }, time));
    const [one, two] = [
      { name: "n", owner: "one" },
      { name: "n", owner: "two" },
    ];
    assert.equal(await claim("one", 1), true);
    assert.equal(await claim("two", 2), false);
    assert.equal(await db.write((tx) => claims.markClaimWritten(tx, two, 50)), false);
    assert.equal(await claim("two", 11), true);
    assert.equal(await db.write((tx) => claims.markClaimWritten(tx, one, 50)), false);
    assert.equal(await db.write((tx) => claims.markClaimWritten(tx, two, 50)), true);
    assert.equal(await db.write((tx) => claims.deleteUnwrittenClaim(tx, two)), 0);
    assert.equal(await db.write((tx) => claims.putClaimAnswer(tx, one, { answer: "no", expires: 60 })), 0);
    assert.equal(await db.write((tx) => claims.putClaimAnswer(tx, two, { answer: "yes", expires: 60 })), 1);
    const row = { ...two, digest: "two", written: 2, answer: "yes", expires: 60 };
    assert.deepEqual({ ...(await claims.findClaim(db, "n")) }, row);
    assert.equal(await db.write((tx) => claims.deleteExpiredClaims(tx, 59, 10)), 0);
    assert.equal(await db.write((tx) => claims.deleteExpiredClaims(tx, 60, 10)), 1);
    assert.equal(await claim("one", 70), true);
    assert.equal(await db.write((tx) => claims.deleteUnwrittenClaim(tx, one)), 1);
  });

  test("STO-101 access groups", async () => {
    const db = database();
    const row = { id: "editors", description: "Edit", permissions: "{}", updated: now, ships: "" };
    assert.equal(await db.write((tx) => groups.insertGroup(tx, row)), true);
    assert.equal(await db.write((tx) => groups.insertGroup(tx, row)), false);
    await db.write((tx) => groups.putGroup(tx, groups.deletedGroup("editors", late)));
    assert.equal(groups.isDeletedGroup((await groups.findGroupRow(db, "editors")) as groups.GroupRow), true);
    assert.equal(await db.write((tx) => groups.insertGroup(tx, row)), true);
    assert.deepEqual(
      (await groups.listGroupRows(db)).map((each) => ({ ...each })),
      [row],
    );
    await db.write((tx) => groups.putGroup(tx, { ...row, ships: "member" }));
    assert.equal((await groups.findGroupRow(db, "editors"))?.ships, "member");
    await db.write((tx) => groups.deleteGroupRow(tx, "editors"));
    assert.deepEqual(await groups.listGroupRows(db), []);
  });

  test("STO-101 API keys", async () => {
    const db = database();
    const row: keys.KeyRow = {
      ...{ id: "k1", name: "Key", prefix: "cairn_", hash: "h1", methods: "[]", endpoints: "[]", published: 1 },
      ...{ created: now, lastUsed: null },
    };
    assert.equal((await keys.readFirstSteps(db)).hasKey, false);
    await db.write((tx) => keys.insertKey(tx, row));
    assert.equal((await keys.readFirstSteps(db)).hasKey, true);
    assert.deepEqual({ ...(await keys.findKeyByHash(db, "h1")) }, row);
    await db.write((tx) => keys.stampKeys(tx, [{ id: "k1", lastUsed: late }]));
    assert.equal((await keys.findKeyById(db, "k1"))?.lastUsed, late);
    assert.equal((await keys.readFirstSteps(db)).hasKey, true);
    assert.deepEqual(
      (await keys.listKeys(db)).map(({ id }) => id),
      ["k1"],
    );
    assert.equal(await db.write((tx) => keys.deleteKey(tx, "k1")), true);
    assert.equal(await db.write((tx) => keys.deleteKey(tx, "k1")), false);
  });

  test("STO-101 leases", async () => {
    const db = database();
    const mine = { owner: "me", leaseUntil: now };
    const theirs = { owner: "you", leaseUntil: late };
    assert.equal(await db.write((tx) => leases.takeLease(tx, "l", mine)), true);
    assert.equal(await db.write((tx) => leases.takeLease(tx, "l", theirs)), false);
    assert.equal(await db.write((tx) => leases.takeLease(tx, "l", theirs, mine)), true);
    assert.equal(await db.write((tx) => leases.extendLease(tx, "l", mine)), false);
    assert.equal(await db.write((tx) => leases.extendLease(tx, "l", { ...theirs, leaseUntil: never })), true);
    assert.deepEqual({ ...(await leases.findLease(db, "l")) }, { owner: "you", leaseUntil: never });
    await db.write((tx) => leases.deleteLeasesBefore(tx, late));
    await db.write((tx) => leases.deleteLease(tx, "l", "me"));
    assert.ok(await leases.findLease(db, "l"));
    await db.write((tx) => leases.deleteLease(tx, "l", "you"));
    assert.equal(await leases.findLease(db, "l"), undefined);
  });

  test("STO-101 sessions of MCP clients and their answers", async () => {
    const db = database();
    const row = { hash: "m1", principal: "p", opening: "{}", subscriptions: "[]", created: early, lastSeen: early };
    await db.write(async (tx) => {
      await mcp.insertMcpSession(tx, row);
      await mcp.insertMcpSession(tx, { ...row, hash: "m2", lastSeen: now });
      await mcp.insertMcpSession(tx, { ...row, hash: "m3", lastSeen: late });
    });
    assert.deepEqual({ ...(await mcp.findMcpSession(db, "m1")) }, row);
    assert.equal(await mcp.countMcpSessions(db, now), 2);
    await db.write(async (tx) => {
      assert.equal((await mcp.lockMcpSession(tx, "m1"))?.principal, "p");
      await mcp.updateMcpSubscriptions(tx, "m1", '["a"]');
      await mcp.stampMcpSession(tx, "m1", never);
      await mcp.trimMcpSessions(tx, "p", 2);
    });
    assert.equal(await mcp.findMcpSession(db, "m2"), undefined);
    assert.equal((await mcp.findMcpSession(db, "m1"))?.subscriptions, '["a"]');
    await db.write((tx) => mcp.deleteIdleMcpSessions(tx, never));
    await db.write((tx) => mcp.deleteMcpSession(tx, "m1"));
    assert.equal(await mcp.countMcpSessions(db, early), 0);

    const answer = { asker: "a", session: "s", message: "{}" };
    await db.write((tx) => answers.insertMcpAnswer(tx, answer, now));
    await db.write((tx) => answers.deleteOldMcpAnswers(tx, early));
    assert.deepEqual(
      (await db.write((tx) => answers.takeMcpAnswers(tx, "a"))).map((each) => ({ ...each })),
      [answer],
    );
    assert.deepEqual(await db.write((tx) => answers.takeMcpAnswers(tx, "a")), []);
  });

  test("STO-101 sessions of users", async () => {
    const db = database();
    const row: sessions.SessionRow = {
      ...{ hash: "s1", userId: "ann", userRid: 7, passwordMark: "x", created: early, lastSeen: early, expires: late },
      ...{ isRemembered: 1, impersonator: null, address: "::1", agent: "test" },
    };
    await db.write(async (tx) => {
      await sessions.insertSession(tx, row);
      await sessions.insertSession(tx, { ...row, hash: "s2", impersonator: "s1" });
      await sessions.insertSession(tx, { ...row, hash: "s3", expires: early });
      await sessions.stampSessions(tx, [{ hash: "s2", lastSeen: now, expires: never }]);
    });
    assert.deepEqual({ ...(await sessions.findSession(db, "s1")) }, row);
    assert.equal(await db.write((tx) => sessions.deleteExpiredSessions(tx, now)), 1);
    assert.deepEqual(
      (await sessions.listSessions(db, "ann")).map(({ hash }) => hash),
      ["s2", "s1"],
    );
    assert.equal(await db.write((tx) => sessions.deleteSessionsOf(tx, "ann", "s1")), 1);
    assert.equal(await db.write((tx) => sessions.deleteSession(tx, "s1")), true);
    assert.equal(await db.write((tx) => sessions.deleteSession(tx, "s1")), false);
  });

  test("STO-101 preferences of users", async () => {
    const db = database();
    const put = (userRid: number, value: string) =>
      db.write((tx) => preferences.putPreferences(tx, { userRid, value, updated: now }));
    const { rid } = await db.write((tx) => insertObject(tx, objectWrite("auth", { id: "pia" })));
    assert.equal(await preferences.findPreferences(db, rid), undefined);
    assert.deepEqual(
      [await put(rid, "{}"), await put(rid, '{"a":1}'), await put(rid + 1_000, "{}")],
      [true, true, false],
    );
    assert.equal(await preferences.findPreferences(db, rid), '{"a":1}');
    await db.write((tx) => preferences.deletePreferencesOf(tx, "pia"));
    assert.equal(await preferences.findPreferences(db, rid), undefined);
  });

  test("STO-101 passkeys", async () => {
    const db = database();
    const row: passkeys.PasskeyRow = {
      ...{ id: "p1", userId: "ann", userRid: 7, publicKey: "key", signCount: 4_000_000_000, transports: "[]" },
      ...{ name: "Phone", created: now, lastUsed: null },
    };
    await db.write((tx) => passkeys.insertPasskey(tx, { ...row, id: "p0", userRid: 6 }));
    await db.write((tx) => passkeys.insertPasskey(tx, row));
    assert.equal(await passkeys.findPasskey(db, "p0"), undefined);
    assert.deepEqual(
      (await passkeys.listPasskeys(db, "ann", 7)).map((each) => ({ ...each })),
      [row],
    );
    const use = { signCount: 4_000_000_001, lastUsed: late };
    assert.equal(await db.write((tx) => passkeys.stampPasskey(tx, row, use)), true);
    assert.equal(await db.write((tx) => passkeys.stampPasskey(tx, row, use)), false);
    assert.equal(await db.write((tx) => passkeys.deletePasskey(tx, "p1", 6)), false);
    assert.equal(await db.write((tx) => passkeys.deletePasskey(tx, "p1", 7)), true);
  });

  test("STO-101 clients, grants, codes and refresh tokens", async () => {
    const db = database();
    const client: clients.ClientRow = {
      ...{ id: "app", name: "App", secretHash: null, origin: "dynamic", redirectUris: '["https://a"]', scopes: "[]" },
      ...{ created: early, lastUsed: null },
    };
    const grant: grants.GrantRow = {
      ...{ id: "g1", clientId: "app", userId: "ann", userRid: 7, passwordMark: "x", scopes: "[]", resource: "r" },
      ...{ created: now, lastUsed: null, expires: late },
    };
    const code = { hash: "c1", grantId: "g1", redirectUri: "https://b", challenge: null, expires: late, used: null };
    await db.write(async (tx) => {
      await clients.putClient(tx, { ...client, name: "Before" });
      await clients.putClient(tx, client);
      await clients.putClient(tx, { ...client, id: "stale" });
      await clients.stampClient(tx, "app", late);
      assert.equal((await clients.lockClient(tx, "app"))?.lastUsed, late);
      for (const id of ["g1", "g2", "g3"]) await grants.insertGrant(tx, { ...grant, id });
      await oauth.insertCode(tx, code);
      await oauth.insertRefreshToken(tx, { hash: "r1", grantId: "g1", expires: now });
    });
    assert.equal((await clients.findClient(db, "app"))?.name, "App");
    const listed = (await clients.listClients(db)).map((each) => [each.id, each.grants]);
    assert.deepEqual(listed, [
      ["app", 3],
      ["stale", 0],
    ]);
    assert.equal(await clients.countStaleClients(db, now), 1);
    assert.deepEqual(
      (await db.write((tx) => clients.deleteStaleClients(tx, now))).map(({ id }) => id),
      ["stale"],
    );
    assert.deepEqual({ ...(await grants.findGrant(db, "g1")) }, grant);
    assert.deepEqual({ ...(await oauth.findCode(db, "c1")) }, code);
    assert.equal(await db.write((tx) => oauth.useCode(tx, "c1", now)), true);
    assert.equal(await db.write((tx) => oauth.useCode(tx, "c1", now)), false);
    assert.deepEqual(await clients.listKnownRedirects(db, "ann"), ["https://b"]);
    assert.equal((await oauth.findRefreshToken(db, "r1"))?.used, null);
    assert.equal(await db.write((tx) => oauth.useRefreshToken(tx, "r1", now)), true);
    assert.equal(await db.write((tx) => oauth.useRefreshToken(tx, "r1", now)), false);
    assert.equal(await db.write((tx) => oauth.deleteExpiredTokens(tx, now)), 1);
    await db.write(async (tx) => {
      await grants.prolongGrant(tx, "g2", { now: late, expires: never });
      await grants.stampGrants(tx, [{ id: "g1", lastUsed: late }]);
    });
    assert.deepEqual(
      (await grants.listGrants(db, late)).map(({ id }) => id),
      ["g2"],
    );
    assert.equal((await grants.listGrantsOf(db, "ann", now))[0]?.clientName, "App");
    assert.equal((await db.write((tx) => grants.deleteGrant(tx, "g1")))?.lastUsed, late);
    assert.equal(await db.write((tx) => grants.deleteExpiredGrants(tx, late)), 1);
    assert.equal(await db.write((tx) => grants.deleteGrantsOf(tx, "ann")), 1);
    assert.equal(await db.write((tx) => grants.deleteAllGrants(tx)), 0);
    await db.write((tx) => grants.insertGrant(tx, grant));
    const ofApp = await db.write((tx) => grants.deleteGrantsFor(tx, "app"));
    assert.deepEqual(
      ofApp.map(({ id }) => id),
      ["g1"],
    );
    assert.equal((await db.write((tx) => clients.deleteClient(tx, "app")))?.name, "App");
    assert.equal(await db.write((tx) => clients.deleteClient(tx, "app")), undefined);
  });

  test("STO-101 users by address and by group", async () => {
    const db = database();
    await db.write(async (tx) => {
      const idx = { email: "Ann@Example.org", groups: ["Editors"] };
      await insertObject(tx, objectWrite("auth", { id: "ann", idx }));
      await insertObject(tx, objectWrite("auth", { id: "bob", idx: { email: "bob@example.org", groups: ["edit"] } }));
    });
    assert.equal(await users.findUserIdByEmail(db, "ann@example.org"), "ann");
    assert.equal(await users.findUserIdByEmail(db, "ann@example.org", "ann"), undefined);
    assert.deepEqual(
      (await users.listUsersOfGroup(db, "editors")).map(({ id }) => id),
      ["ann"],
    );
  });
}
