// How the service is started, told what to do, and stopped: the executable as an operator meets it.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { amongOthers } from "#base/patience.fixture.ts";
import { freePort } from "../../scripts/free-port.ts";
import { cleanEnvironment, engine, launch, root, runCairn, send } from "../harness.ts";
import { createDatabase } from "../support/databases.ts";
import { testOnce } from "../support/test-once.ts";

const folders: string[] = [];
const databases: { drop(): Promise<void> }[] = [];
after(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  for (const database of databases) await database.drop();
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-start-"));
  folders.push(folder);
  return folder;
}

/** An environment with data of its own. */
async function newEnvironment(
  added: Record<string, string> = {},
): Promise<Record<string, string> & { CAIRN_DATA: string }> {
  const database = engine === "postgres" ? await createDatabase() : undefined;
  if (database) databases.push(database);
  const env = {
    CAIRN_DATA: newFolder(),
    CAIRN_LOG_LEVEL: "warn",
    ...(database && { CAIRN_DATABASE_URL: database.url, CAIRN_SITE_KEY: "ab".repeat(32) }),
  };
  return cleanEnvironment({ ...env, ...added }) as Record<string, string> & { CAIRN_DATA: string };
}

const get = (url: string, path: string, key?: string) =>
  send(undefined, url, "GET", path, key ? { headers: { "x-api-key": key } } : {});

async function newKey(env: Record<string, string>): Promise<string> {
  const { stdout } = await runCairn(["key:create", "--name", "start", "--json"], { env });
  return JSON.parse(stdout).key;
}

testOnce("START-1 START-3 the last line at the start names the address, which answers", async () => {
  const server = await launch(["serve", "--port", "0"], await newEnvironment(), { isFresh: true });
  const lines = server.stdout().trim().split("\n");
  assert.equal(lines.at(-1), `Cairn is ready at ${server.url}`);
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  assert.equal((await get(server.url, "/healthz")).status, 200);
  await server.end("SIGTERM");
});

testOnce("START-20 a server for others that does not know its address says so", async () => {
  const env = await newEnvironment();
  const warning = /CAIRN_URL is not set/;
  for (const [host, more, isWarned] of [
    ["0.0.0.0", {}, true],
    ["0.0.0.0", { CAIRN_URL: "https://cms.example.test" }, false],
    ["0.0.0.0", { CAIRN_EDITION: "standard" }, false],
    ["127.0.0.1", {}, false],
  ] as const) {
    const server = await launch(["serve", "--host", host, "--port", "0"], { ...env, ...more });
    await server.end("SIGTERM");
    assert.equal(warning.test(server.stderr()), isWarned, JSON.stringify([host, more]));
  }
});

test("START-2 START-16 without settings it listens on 127.0.0.1:8080 and makes ./data", async () => {
  const project = newFolder();
  const { CAIRN_DATA: _, ...env } = await newEnvironment();
  assert.equal((await runCairn(["key:create", "--name", "k"], { env, cwd: project })).code, 0);
  const { stdout } = await runCairn(["info", "--json"], { env, cwd: project });
  assert.equal(JSON.parse(stdout).dataDir, join(project, "data"));
  assert.equal(JSON.parse(stdout).engine, engine);
  assert.ok(existsSync(join(project, "data")));
  for (const [key, value] of [
    ["host", "127.0.0.1"],
    ["port", "8080"],
  ] as const) {
    const shown = await runCairn(["settings:get", key, "--json"], { env, cwd: project });
    assert.equal(String(JSON.parse(shown.stdout)), value);
  }
});

testOnce("START-4 the environment sets host, port, data directory, edition and public address", async () => {
  const port = await freePort();
  const env = await newEnvironment({
    CAIRN_HOST: "127.0.0.2",
    CAIRN_PORT: String(port),
    CAIRN_EDITION: "standard",
    CAIRN_URL: "https://cms.example.org/",
  });
  const key = await newKey(env);
  const server = await launch(["serve"], env);
  assert.equal(server.url, `http://127.0.0.2:${port}`);
  assert.match(server.stdout(), /https:\/\/cms\.example\.org\/setup\?token=/);
  assert.ok(existsSync(join(env.CAIRN_DATA, ".schemas")));
  assert.equal((await get(server.url, "/api/settings/api", key)).status, 401, "below Pro a key counts as absent");
  await server.end("SIGTERM");
});

testOnce("START-5 PORT sets the port, CAIRN_PORT wins over it", async () => {
  const [general, own] = [await freePort(), await freePort()];
  const first = await launch(["serve"], await newEnvironment({ PORT: String(general) }));
  assert.equal(new URL(first.url).port, String(general));
  await first.end("SIGTERM");
  const second = await launch(["serve"], await newEnvironment({ PORT: String(general), CAIRN_PORT: String(own) }));
  assert.equal(new URL(second.url).port, String(own));
  await second.end("SIGTERM");
});

testOnce("START-6 later wins: defaults, config file, environment, saved settings", async () => {
  const project = newFolder();
  const show = async (env: Record<string, string>) => {
    const { stdout, stderr } = await runCairn(["settings:get", "api.corsOrigins", "--json"], { env, cwd: project });
    return stdout ? JSON.parse(stdout) : stderr;
  };
  const edition = async (env: Record<string, string>) =>
    JSON.parse((await runCairn(["settings:get", "edition", "--json"], { env, cwd: project })).stdout);
  const env = await newEnvironment();
  await newKey(env);
  assert.deepEqual(await show(env), ["*"]);
  assert.equal(await edition(env), "pro");
  writeFileSync(
    join(project, "cairn.config.json"),
    JSON.stringify({ edition: "lite", api: { corsOrigins: ["https://a.example"] } }),
  );
  assert.deepEqual(await show(env), ["https://a.example"]);
  assert.equal(await edition(env), "lite");
  assert.equal(await edition({ ...env, CAIRN_EDITION: "standard" }), "standard");
  const saved = await runCairn(["settings:set", "edition", "pro"], { env, cwd: project });
  assert.equal(saved.code, 0, saved.stderr);
  assert.equal(await edition({ ...env, CAIRN_EDITION: "standard" }), "pro");
});

testOnce("START-7 flags win over the environment and over saved settings", async () => {
  const env = await newEnvironment({ CAIRN_HOST: "127.0.0.2", CAIRN_PORT: String(await freePort()) });
  await newKey(env);
  const saved = await runCairn(["settings:set", "host", "127.0.0.3"], { env });
  assert.equal(saved.code, 0, saved.stderr);
  const other = newFolder();
  const server = await launch(["serve", "--host", "127.0.0.1", "--port", "0", "--data", other], env);
  assert.equal(new URL(server.url).hostname, "127.0.0.1");
  assert.notEqual(new URL(server.url).port, env.CAIRN_PORT);
  assert.ok(existsSync(join(other, ".schemas")));
  await server.end("SIGTERM");
});

const wrongSettings: [env: Record<string, string>, sentence: RegExp][] = [
  [{ CAIRN_PORT: "many" }, /^cairn: CAIRN_PORT: port must be a .*number\.\n$/],
  [{ CAIRN_PORT: "70000" }, /^cairn: CAIRN_PORT: port must be at most 65535\.\n$/],
  [{ CAIRN_URL: "nonsense" }, /^cairn: CAIRN_URL: url must be an address such as .*\.\n$/],
  [
    { CAIRN_DATABASE_URL: "mysql://u:secret@h/d" },
    /^cairn: CAIRN_DATABASE_URL: databaseUrl must be a postgres:\/\/ address\.\n$/,
  ],
  [
    { CAIRN_TRUST_PROXY: "10.0.0.0/8,proxy" },
    /^cairn: CAIRN_TRUST_PROXY: trustProxy must be a list of addresses.*\.\n$/,
  ],
  [
    { CAIRN_HOST: "192.0.2.7", CAIRN_PORT: "0" },
    /^cairn: The address 192\.0\.2\.7:0 does not belong to this machine\.\n$/,
  ],
  [{ CAIRN_EDITION: "gold" }, /^cairn: CAIRN_EDITION: edition must be one of lite, standard, pro\.\n$/],
  [{ CAIRN_WORKERS: "0" }, /^cairn: CAIRN_WORKERS: workers must be at least 1\.\n$/],
  [{ CAIRN_DATA: "/proc/no/such" }, /^cairn: The data directory \/proc\/no\/such cannot be created: .*\.\n$/],
];
for (const [added, sentence] of wrongSettings) {
  testOnce(`START-8 ${JSON.stringify(added)} ends the start with one sentence`, async () => {
    const { code, stderr } = await runCairn(["serve"], { env: await newEnvironment(added) });
    assert.match(stderr, sentence);
    assert.equal(code, 1);
  });
}

testOnce("START-8 a settings file that is not JSON is named", async () => {
  const project = newFolder();
  writeFileSync(join(project, "cairn.config.json"), "{ port: ");
  const { code, stderr } = await runCairn(["serve", "--port", "0"], { env: await newEnvironment(), cwd: project });
  assert.equal(code, 1);
  assert.match(stderr, /^cairn: .*cairn\.config\.json is not valid JSON\.\n$/);
});

testOnce("START-8 START-21 an empty path is neither a data directory nor a folder for public files", async () => {
  const project = newFolder();
  const read = async (env: Record<string, string> = {}) =>
    runCairn(["info", "--json"], { env: await newEnvironment(env), cwd: project });
  const unset = await read({ CAIRN_DATA: "", CAIRN_DATABASE_URL: "" });
  assert.match(unset.stderr, new RegExp(`^cairn: There is no site in ${join(project, "data")}\\. `));
  for (const key of ["data", "host", "publicDir"]) {
    writeFileSync(join(project, "cairn.config.json"), JSON.stringify({ [key]: "" }));
    const { code, stderr } = await read();
    assert.equal(code, 1, key);
    assert.match(stderr, new RegExp(`^cairn: cairn\\.config\\.json: ${key} must be .*\\.\n$`));
  }
});

testOnce("SET-14 a configuration file with image parameters that no image could have is refused by name", async () => {
  const project = newFolder();
  writeFileSync(join(project, "cairn.config.json"), '{"imageworks": {"presets": {"big": {"w": 9000}}}}');
  const { code, stderr } = await runCairn(["serve", "--port", "0"], { env: await newEnvironment(), cwd: project });
  assert.equal(code, 1);
  assert.equal(stderr, "cairn: cairn.config.json: imageworks.presets.big.w must be a whole number from 1 to 8000.\n");
});

for (const args of [["serve", "--port", "many"], ["serve", "--nonsense"], ["nonsense"], ["key:delete"]]) {
  testOnce(`START-9 cairn ${args.join(" ")} is wrong usage`, async () => {
    const { code, stderr, stdout } = await runCairn(args, { env: await newEnvironment() });
    assert.equal(code, 2);
    assert.match(stderr, /^cairn: [^\n]+\n$/);
    assert.equal(stdout, "");
  });
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`START-10 ${signal} ends an idle server with code 0, in spite of an open connection`, async () => {
    const server = await launch(["serve", "--port", "0"], await newEnvironment(), { isFresh: true });
    const kept = await fetch(`${server.url}/healthz`);
    assert.equal(kept.status, 200);
    const started = performance.now();
    assert.equal(await server.end(signal), 0);
    assert.ok(performance.now() - started < amongOthers(3_000));
    assert.equal(server.stderr(), "");
  });
}

testOnce("START-13 JOB-21 a port that is taken is named, and no job runs", async () => {
  const env = await newEnvironment();
  await newKey(env);
  const view = JSON.stringify({ id: "one", name: "One", definition: "export default () => [1];" });
  const made = await runCairn(["object:create", "dataviews", "-"], { env, input: view });
  assert.equal(made.code, 0, made.stderr);
  const holder = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => holder.once("listening", done));
  const { port } = holder.address() as { port: number };
  const { code, stderr } = await runCairn(["serve", "--port", String(port)], { env });
  holder.close();
  assert.equal(code, 1);
  assert.equal(stderr, `cairn: The address 127.0.0.1:${port} is already in use.\n`);
  const { stdout } = await runCairn(["jobs:list", "--json"], { env });
  assert.deepEqual(
    JSON.parse(stdout).map(({ kind, status }: Record<string, string>) => [kind, status]),
    [["view.build", "queued"]],
  );
});

testOnce("START-14 the setup link is printed until there is a user, and is new at each start", async () => {
  const env = await newEnvironment();
  const linkOf = (output: string) => /(http:\/\/\S+\/setup\?token=\S+)/.exec(output)?.[1];
  const first = await launch(["serve", "--port", "0"], env);
  const link = linkOf(first.stdout()) as string;
  assert.ok(link.startsWith(first.url));
  assert.equal((await fetch(link)).status, 200);
  assert.equal((await fetch(`${first.url}/setup?token=guess`)).status, 403);
  await first.end("SIGTERM");
  const second = await launch(["serve", "--port", "0"], env);
  assert.notEqual(linkOf(second.stdout())?.split("token=")[1], link.split("token=")[1]);
  const created = await runCairn(
    ["user:create", "--id", "ada", "--email", "ada@example.org", "--password", "correct-horse", "--groups", "admin"],
    { env },
  );
  assert.equal(created.code, 0, created.stderr);
  assert.equal((await fetch(linkOf(second.stdout()) as string)).status, 403, "a user closes the link");
  await second.end("SIGTERM");
  const third = await launch(["serve", "--port", "0"], env);
  assert.equal(linkOf(third.stdout()), undefined);
  await third.end("SIGTERM");
});

testOnce("START-15 bin/cairn runs from any folder, through a link, on whatever Node the host has", async () => {
  const folder = newFolder();
  symlinkSync(join(root, "bin", "cairn"), join(folder, "cairn"));
  const env = await newEnvironment();
  const { stdout } = await promisify(execFile)(join(folder, "cairn"), ["version"], { cwd: folder, env });
  assert.match(stdout, /^\d+\.\d+\.\d+\S*\n$/);
});

testOnce("MEM-1 MEM-2 bin/cairn bounds what the C library keeps, unless the operator has", async () => {
  const names = ["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];
  const say = `console.error(${JSON.stringify(names)}.map((name)=>process.env[name]).join())`;
  const run = async (added: Record<string, string>) => {
    const env = await newEnvironment({
      ...added,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(say)}`,
    });
    return (await promisify(execFile)(join(root, "bin", "cairn"), ["version"], { env })).stderr.trim();
  };
  assert.equal(await run({}), "2,1048576,16777216");
  assert.equal(await run({ MALLOC_ARENA_MAX: "8" }), "8,1048576,16777216");
});

for (const [program, ...args] of [
  [join(root, "bin", "cairn"), "serve"],
  ["npm", "start"],
] as const) {
  testOnce(`START-15 START-10 a signal sent to ${basename(program)} reaches the server`, async (t) => {
    const child = spawn(program, args, { cwd: root, env: await newEnvironment({ CAIRN_PORT: "0" }) });
    t.after(() => child.kill("SIGKILL"));
    // The pipe is closed when the server has gone too.
    const ended = new Promise((done) => child.once("close", done));
    let output = "";
    await new Promise<void>((done) => {
      child.stdout.on("data", (chunk) => {
        output += chunk;
        if (output.includes("Cairn is ready at")) done();
      });
    });
    child.kill("SIGTERM");
    assert.equal(await ended, 0);
  });
}

testOnce("START-16 a missing data directory is made, and closed to other users of the machine", async () => {
  const data = join(newFolder(), "deep", "data");
  const env = await newEnvironment({ CAIRN_DATA: data });
  const { code, stderr } = await runCairn(["key:create", "--name", "k"], { env });
  assert.equal(code, 0, stderr);
  assert.equal(statSync(join(data, ".system")).mode & 0o077, 0);
});

testOnce("START-17 a database server that cannot be reached is reported without the password", async () => {
  const url = `postgres://cairn:s3cret@127.0.0.1:${await freePort()}/cairn`;
  const env = await newEnvironment({ CAIRN_DATABASE_URL: url });
  const { code, stderr } = await runCairn(["serve", "--port", "0"], { env });
  assert.equal(code, 1);
  assert.match(stderr, /^cairn: [^\n]*database[^\n]*\n$/i);
  assert.doesNotMatch(stderr, /s3cret/);
});

test("START-18 data written by one run is there in the next", async () => {
  const env = await newEnvironment();
  const key = await newKey(env);
  const schema = { id: "note", properties: { id: { type: "string" } }, required: ["id"], index: ["id"] };
  const steps: [path: string, body: unknown][] = [
    ["/api/schemas", schema],
    ["/api/collections", { id: "notes", schema: "note" }],
    ["/api/collections/notes", { id: "kept" }],
  ];
  const first = await launch(["serve", "--port", "0"], env);
  for (const [path, body] of steps) {
    const answer = await send(undefined, first.url, "POST", path, { body, headers: { "x-api-key": key } });
    assert.equal(answer.status, 201, answer.text);
  }
  await first.end("SIGTERM");
  assert.ok(existsSync(join(env.CAIRN_DATA, ".schemas", "note.json")));
  const second = await launch(["serve", "--port", "0"], env);
  assert.equal((await get(second.url, "/api/collections/notes/kept", key)).body.data.id, "kept");
  await second.end("SIGTERM");
});

testOnce("START-30 a command that finds no site says so, and makes nothing", async () => {
  const project = newFolder();
  const data = join(project, "typo");
  const env = await newEnvironment();
  const sentence = env.CAIRN_DATABASE_URL
    ? "cairn: The database cannot be opened: There is no site in it.\n"
    : `cairn: There is no site in ${data}. Name the data directory with --data or CAIRN_DATA; cairn serve makes a new site.\n`;
  for (const args of [
    ["info", "--json"],
    ["collection:list"],
    ["settings:get"],
    ["settings:set", "edition", "pro"],
    ["backup:create", join(project, "x.zip")],
    ["automations:process"],
    ["push", "--dry-run"],
  ]) {
    const { code, stdout, stderr } = await runCairn([...args, "--data", data], { env, cwd: project });
    assert.deepEqual([code, stdout, stderr], [1, "", sentence], args.join(" "));
  }
  const restored = await runCairn(["backup:restore-all", "nosuch.zip", "--data", data], { env, cwd: project });
  assert.deepEqual([restored.code, restored.stderr], [1, "cairn: There is no file nosuch.zip.\n"]);
  writeFileSync(join(project, "damaged.zip"), "PK nothing");
  const damaged = await runCairn(["backup:restore-all", "damaged.zip", "--data", data], { env, cwd: project });
  assert.equal(damaged.code, 1, damaged.stdout);
  for (const args of [["version"], ["help"], ["completion", "bash"]])
    assert.equal((await runCairn(args, { env, cwd: project })).code, 0, args.join(" "));
  assert.deepEqual(readdirSync(project), ["damaged.zip"]);
});

test("START-23 key:create and user:create make a site where there is none, and say so once", async () => {
  const user = ["user:create", "--id", "ada", "--email", "ada@example.org", "--password", "correct-horse"];
  for (const first of [["key:create", "--name", "k", "--json"], user]) {
    const env = await newEnvironment();
    const { code, stdout, stderr } = await runCairn(first, { env });
    assert.deepEqual([code, stderr], [0, `A new site was made in ${env.CAIRN_DATA}.\n`]);
    assert.ok(stdout.length > 0);
    const again = await runCairn(["key:create", "--name", "k", "--json"], { env });
    assert.deepEqual([again.code, again.stderr], [0, ""]);
    assert.equal((await runCairn(["key:list"], { env })).code, 0);
  }
});

test("START-24 a site notes its database, and nothing works on it with the other kind", async () => {
  const env = await newEnvironment();
  await newKey(env);
  const note = readFileSync(join(env.CAIRN_DATA, ".system", "database.json"), "utf8");
  const before = readdirSync(join(env.CAIRN_DATA, ".system")).sort();
  const { CAIRN_DATABASE_URL: address, ...rest } = env;
  const other = address === undefined ? { ...env, CAIRN_DATABASE_URL: "postgres://ada:s3cret@127.0.0.1:9/x" } : rest;
  const sentence = address
    ? `cairn: This site keeps its data in PostgreSQL at ${new URL(address).host}${new URL(address).pathname}; set CAIRN_DATABASE_URL. `
    : "cairn: This site keeps its data in SQLite; unset CAIRN_DATABASE_URL, or move the site with backup:restore-all. ";
  for (const args of [["collection:list"], ["key:create", "--name", "k"], ["serve", "--port", "0"]]) {
    const { code, stdout, stderr } = await runCairn(args, { env: other });
    assert.deepEqual(
      [code, stdout, stderr],
      [1, "", `${sentence}(Data directory: ${env.CAIRN_DATA}.)\n`],
      args.join(" "),
    );
  }
  assert.deepEqual(readdirSync(join(env.CAIRN_DATA, ".system")).sort(), before);
  if (address && new URL(address).password) assert.ok(!note.includes(new URL(address).password));

  const zip = join(newFolder(), "site.zip");
  assert.equal((await runCairn(["backup:create", zip], { env })).code, 0);
  if (address === undefined) return;
  const refused = await runCairn(["backup:restore-all", zip], { env: other });
  assert.equal(refused.code, 1);
  assert.ok(refused.stderr.startsWith(sentence), refused.stderr);
  const moved = await runCairn(["backup:restore-all", zip, "--force"], { env: other });
  assert.equal(moved.code, 0, moved.stderr);
  assert.equal((await runCairn(["key:list"], { env: other })).code, 0);
  assert.equal((await runCairn(["key:list"], { env })).code, 1);
});

async function tryOtherDatabases(): Promise<void> {
  const env = await newEnvironment();
  await newKey(env);
  const [empty, copy] = [
    await createDatabase(),
    await createDatabase(new URL(env.CAIRN_DATABASE_URL as string).pathname.slice(1)),
  ];
  databases.push(empty, copy);
  for (const args of [["key:list"], ["serve", "--port", "0"]]) {
    const { code, stderr } = await runCairn(args, { env: { ...env, CAIRN_DATABASE_URL: empty.url } });
    assert.equal(code, 1, args.join(" "));
    assert.match(
      stderr,
      /^cairn: The database cannot be opened: There is no site in it\. \(The site in .* used the one at .* before\.\)\n$/,
    );
  }
  const moved = { ...env, CAIRN_DATABASE_URL: copy.url };
  assert.equal((await runCairn(["key:list"], { env: moved })).code, 0);
  const server = await launch(["serve", "--port", "0"], moved);
  assert.equal(await server.end("SIGTERM"), 0);
  assert.ok(
    readFileSync(join(env.CAIRN_DATA, ".system", "database.json"), "utf8").includes(
      new URL(copy.url).pathname.slice(1),
    ),
  );
}
if (engine === "postgres")
  test(
    "START-24 an empty database does not take the place of the one with the site; a copy of it does",
    tryOtherDatabases,
  );
