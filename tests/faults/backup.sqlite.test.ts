// Backups and restores that are cut off, and a database that is beyond opening.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";
import { cleanEnvironment, root, runCairn, type Server, startServer } from "../harness.ts";
import { makeUser, type Person, password, signIn } from "../support/sign-in.ts";
import { cairn } from "../sync/site.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-backup-faults-"));
const file = join(folder, "site.zip");
const objects = 1_500;
/** Users are objects too. */
const users = 1;
let server: Server;

before(async () => {
  server = await startServer();
  // Long text that is not searched: a backup takes as long, and the import a fifth of the time.
  const properties = { id: { type: "string" }, title: { type: "string" }, content: { type: "string" } };
  await server.makeSchema({ id: "long", properties, required: ["id"], index: ["title"] });
  await server.makeCollection({ id: "news", schema: "long" });
  const words = "stone path river hill cairn larch boot wool thread needle mist hut water bread lamp ".repeat(440);
  const rows = Array.from({ length: objects }, (_, at) => ({
    id: `n-${at}`,
    title: `News ${at}`,
    content: `${at} ${words}`,
  }));
  const raw = rows.map((row) => JSON.stringify(row)).join("\n");
  const headers = { "content-type": "application/x-ndjson" };
  const { body } = await server.request("POST", "/api/import/collections/news/json", { raw, headers });
  assert.equal(body.created, objects);
  await makeUser(server, "ada", ["admin"]);
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function place(name: string): Record<string, string> {
  return cleanEnvironment({ CAIRN_DATA: join(folder, name), CAIRN_LOG_LEVEL: "warn" });
}

/** Starts a command and kills it as soon as `isTime` says so; resolves when it has ended. False: it was faster. */
async function cutOff(env: Record<string, string>, args: string[], isTime: () => boolean): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, "src", "main.ts"), ...args], { cwd: root, env, stdio: "ignore" });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  while (child.exitCode === null && !isTime()) await sleep(2);
  const wasRunning = child.exitCode === null;
  child.kill("SIGKILL");
  await ended;
  return wasRunning;
}

test("BAK-5 a backup that is killed leaves no file under its name", async () => {
  const cut = join(folder, "cut.zip");
  await until(() => {
    rmSync(cut, { force: true });
    return cutOff(server.env, ["backup:create", cut], () => existsSync(`${cut}.part`));
  });
  assert.equal(existsSync(cut), false);
  const whole = await server.cli(["backup:create", cut]);
  assert.equal(whole.code, 0, whole.stderr);
  assert.equal((await server.cli(["backup:verify", cut])).code, 0);
});

test("ADM-890 a backup of the admin whose server is killed is never listed, and made after the next start", async () => {
  const place = join(server.dataDir, ".system", "whole-backups");
  const parts = () => (existsSync(place) ? readdirSync(place).filter((name) => name.endsWith(".part")) : []);
  const confirmed = async () => {
    const ada = await signIn(server, "ada");
    await ada.request("POST", "/api/auth/confirm", { body: { password } });
    return ada;
  };
  const listed = async (ada: Person) => (await ada.request("GET", "/api/backups")).body.data;
  let job = "";
  await until(async () => {
    const ada = await confirmed();
    const known = (await listed(ada)).length;
    job = (await ada.request("POST", "/api/backups")).body.data.job;
    await until(async () => parts().length > 0 || (await listed(ada)).length > known);
    await server.kill();
    await server.restart();
    return parts().length > 0;
  });
  const ada = await confirmed();
  const whole = (await listed(ada)).map(({ name }: { name: string }) => name);
  assert.deepEqual(
    whole.filter((name: string) => !existsSync(join(place, name))),
    [],
  );
  const ended = await until(
    async () => (await ada.request("GET", `/api/jobs/${job}`)).body.data,
    ({ status }) => status === "succeeded" || status === "failed",
  );
  assert.deepEqual([ended.status, ended.attempts], ["succeeded", 2], ended.error);
  await until(() => parts().length === 0);
  for (const { name } of await listed(ada))
    assert.equal((await server.cli(["backup:verify", join(place, name)])).code, 0);
});

test("BAK-6 a backup takes no more memory than a small heap has", async () => {
  const env = { ...server.env, NODE_OPTIONS: "--max-old-space-size=64" };
  const made = await cairn(env, "backup:create", file, "--json");
  assert.equal(made.code, 0, made.stderr);
  assert.equal(JSON.parse(made.stdout).objects, objects + users);
});

test("BAK-24 a restore that is killed is not taken for a site (F20)", async () => {
  const env = place("killed");
  const mark = join(folder, "killed", ".system", "restore-unfinished");
  await until(() => {
    rmSync(join(folder, "killed"), { recursive: true, force: true });
    return cutOff(env, ["backup:restore-all", file], () => existsSync(mark));
  });
  assert.ok(existsSync(mark));
  for (const args of [["serve", "--port", "0"], ["info"], ["key:list"]]) {
    const refused = await cairn(env, ...args);
    assert.equal(refused.code, 1, args.join(" "));
    assert.match(refused.stderr, /^cairn: A restore was cut off here\. .*\n$/);
  }
  assert.equal((await cairn(env, "backup:restore-all", file)).code, 1);
  const again = await cairn(env, "backup:restore-all", file, "--force");
  assert.equal(again.code, 0, again.stderr);
  const { counts } = JSON.parse((await cairn(env, "info", "--json")).stdout);
  assert.equal(counts.objects, objects + users);
});

test("BAK-23 nothing is restored under a running server", async () => {
  const refused = await server.cli(["backup:restore-all", file, "--force"]);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /already running/);
  assert.equal((await server.request("GET", "/api/collections/news/n-7")).status, 200);
});

test("BAK-25 a backup of a newer version is refused", async () => {
  const env = place("newer");
  await cairn(env, "key:create", "--name", "x");
  const database = new DatabaseSync(join(folder, "newer", ".system", "cairn.db"));
  database.exec("INSERT INTO migrations (name, applied) VALUES ('9999-future', '2099-01-01T00:00:00.000Z')");
  database.close();
  const newer = join(folder, "newer.zip");
  assert.equal((await cairn(env, "backup:create", newer)).code, 0);
  const refused = await cairn(place("older"), "backup:restore-all", newer);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /newer version/);
});

/** A data directory whose server was killed, so that what it wrote last stands in the log. */
async function killedSite(): Promise<string> {
  const small = await startServer();
  await small.makeCollection({ id: "news", schema: "blog" });
  for (let at = 0; at < 20; at += 1) {
    await small.request("POST", "/api/collections/news", { body: { id: `n-${at}`, title: `News ${at}` } });
  }
  await small.kill();
  return small.dataDir;
}

/** In a process of its own: what a refused start has opened is closed by its end. */
const runAlone = (env: Record<string, string>, args: string[]) => runCairn(args, { env, isFresh: true });

function flip(path: string, at: number, length: number): void {
  const handle = openSync(path, "r+");
  const bytes = Buffer.alloc(length);
  readSync(handle, bytes, 0, length, at);
  writeSync(
    handle,
    bytes.map((byte) => byte ^ 0x5a),
    0,
    length,
    at,
  );
  closeSync(handle);
}

function filesOf(data: string): Record<string, string> {
  const contents = ["cairn.db", "cairn.db-wal"].map((name): [string, string] => {
    const path = join(data, ".system", name);
    return [name, existsSync(path) ? readFileSync(path, "latin1") : ""];
  });
  return Object.fromEntries(contents.map(([name, content]) => [name, hash("sha256", content)]));
}

test("BAK-30 BAK-32 a damaged database or log is reported and left unchanged; one that is only cut short is not damaged (F20)", async () => {
  const site = await killedSite();
  const log = statSync(join(site, ".system", "cairn.db-wal")).size;
  const damages: Record<string, (system: string) => void> = {
    "head of the log": (system) => flip(join(system, "cairn.db-wal"), 9, 1),
    "first page of the log": (system) => flip(join(system, "cairn.db-wal"), 200, 1),
    "middle of the log": (system) => flip(join(system, "cairn.db-wal"), Math.floor(log / 2), 50),
    "database without its file": (system) => rmSync(join(system, "cairn.db")),
    "database of no length": (system) => truncateSync(join(system, "cairn.db")),
  };
  for (const [name, damage] of Object.entries(damages)) {
    const env = place(name);
    const data = join(folder, name);
    cpSync(site, data, { recursive: true });
    damage(join(data, ".system"));
    const before = filesOf(data);
    for (const args of name === "middle of the log" ? [["serve", "--port", "0"], ["info"]] : [["info"]]) {
      const refused = await runAlone(env, args);
      assert.equal(refused.code, 1, `${name}: ${args.join(" ")}`);
      assert.match(refused.stderr, /^cairn: The database is damaged \([^\n]+ restore the last backup [^\n]+\n$/, name);
    }
    assert.deepEqual(filesOf(data), before, name);
  }
  const torn = join(site, ".system", "cairn.db-wal");
  truncateSync(torn, log - 1_000);
  const { code, stdout, stderr } = await cairn(cleanEnvironment({ CAIRN_DATA: site }), "info", "--json");
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).counts.objects >= 19);
});

test("BAK-31 BAK-33 a backup restores the site elsewhere; a server does not start where pages do not fit together (F20)", async () => {
  const env = place("pages");
  const data = join(folder, "pages");
  assert.equal((await cairn(env, "backup:restore-all", file)).code, 0);
  const { text } = await server.request("GET", "/api/collections/news/n-123");
  const shown = await cairn(env, "object:get", "news", "n-123", "--json");
  assert.deepEqual(JSON.parse(shown.stdout), JSON.parse(text).data);
  const path = join(data, ".system", "cairn.db");
  const pages = statSync(path).size / 4096;
  for (let page = 40; page < pages; page += 40) flip(path, page * 4096, 16);
  const before = filesOf(data);
  const refused = await runAlone(env, ["serve", "--port", "0"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^cairn: The database is damaged/);
  assert.deepEqual(filesOf(data), before);
  flip(path, 0, 100);
  for (const args of [["serve", "--port", "0"], ["info"]]) {
    assert.match((await runAlone(env, args)).stderr, /^cairn: The database is damaged/);
  }
});
