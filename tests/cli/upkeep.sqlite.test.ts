// cache:clear, deploy, completion, and examples in every help.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { cleanEnvironment, runCairn, type Server, startServer } from "../harness.ts";
import { picture, upload } from "../support/sample-files.ts";

let server: Server;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

test("CLI-60 cache:clear removes derived images under a running server, which makes them again", async () => {
  await server.makeCollection({ id: "shots", schema: "image", publicOperations: ["read"] });
  await server.request("POST", "/api/collections/shots", { body: { id: "one" } });
  await upload(server, "shots/one/image", { name: "one.png", bytes: await picture(40, 30, { format: "png" }) });
  const address = "/imageworks/shots/one/image.png?w=10";
  const first = await server.request("GET", address);
  assert.equal(first.status, 200);
  const cleared = await server.cli(["cache:clear", "--json"]);
  assert.deepEqual(
    [cleared.code, JSON.parse(cleared.stdout)],
    [0, { images: 1, cleared: { ...JSON.parse(cleared.stdout).cleared, images: 1 } }],
  );
  assert.match((await server.cli(["cache:clear"])).stdout, /^0 derived images were removed\./);
  const again = await server.request("GET", address);
  assert.deepEqual([again.status, again.text], [200, first.text]);
});

test("CLI-61 deploy brings an old database up to date, once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-deploy-"));
  const env = cleanEnvironment({ CAIRN_DATA: folder });
  await runCairn(["key:create", "--name", "k"], { env });
  const second = JSON.parse((await runCairn(["deploy", "--json", "--skip-cache"], { env })).stdout);
  assert.deepEqual(second, { migrations: [], cache: null });
  // As an older version left it.
  const database = new DatabaseSync(join(folder, ".system", "cairn.db"));
  database.exec("DROP TABLE pending_files; DELETE FROM migrations WHERE name = '0009-sync'");
  database.close();
  const third = await runCairn(["deploy"], { env });
  assert.match(third.stdout, /^Database: 0009-sync\.$/m);
  assert.match((await runCairn(["deploy"], { env })).stdout, /^The database is up to date\.$/m);
  rmSync(folder, { recursive: true });
});

async function names(): Promise<string[]> {
  const { stdout } = await server.cli(["help"]);
  return [...stdout.matchAll(/^ {2}([a-z][\w-]*(?::[\w-]+)?)(?= |$)/gm)]
    .map((found) => found[1] as string)
    .filter((name) => name !== "cairn");
}

test("CLI-62 bash completes commands, colons and all, and their options", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-completion-"));
  writeFileSync(join(folder, "script"), (await server.cli(["completion", "bash"])).stdout);
  const complete = (line: string): string[] => {
    const ask = `source ${folder}/script; COMP_LINE="${line}"; COMP_POINT=\${#COMP_LINE}; _cairn; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["-c", ask], { encoding: "utf8" });
    assert.equal(stderr, "");
    return stdout.split("\n").filter(Boolean).sort();
  };
  assert.deepEqual(complete("cairn user:c"), ["create"]);
  assert.deepEqual(complete("cairn ke"), ["key:create", "key:delete", "key:list"]);
  assert.deepEqual(complete("cairn key:create --me"), ["--methods"]);
  assert.deepEqual(complete("cairn help key:cr"), ["create"]);
  assert.deepEqual(complete("cairn completion "), ["bash", "fish", "zsh"]);
  assert.deepEqual(complete("cairn key:create --name x --en"), ["--endpoints"]);
  for (const name of await names()) assert.ok(complete(`cairn ${name}`).length > 0, name);
  rmSync(folder, { recursive: true });
});

test("CLI-62 the scripts for zsh and fish name every command; other shells are wrong usage", async () => {
  const zsh = (await server.cli(["completion", "zsh"])).stdout;
  const fish = (await server.cli(["completion", "fish"])).stdout;
  assert.match(zsh, /^#compdef cairn\n/);
  // The file is loaded by the first completion and must answer that one too.
  assert.match(
    zsh,
    /\nif \[\[ "\$\{funcstack\[1\]\}" == _cairn \]\]; then _cairn "\$@"; else compdef _cairn cairn; fi\n$/,
  );
  assert.doesNotMatch(zsh + fish, /collection-meta/);
  for (const name of await names()) {
    assert.ok(zsh.includes(`'${name.replaceAll(":", "\\:")}:`), name);
    assert.ok(fish.includes(`-a '${name}' `), name);
  }
  const wrong = await server.cli(["completion", "csh"]);
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
});

test("CLI-63 the help of a command shows its examples", async () => {
  const { stdout } = await server.cli(["help", "backup:create"]);
  assert.match(stdout, /\nExamples:\n {2}cairn backup:create \S+/);
});

/** What anybody but the owner may do with each file and folder below. */
function openModes(folder: string): Map<number, string[]> {
  const modes = new Map<number, string[]>();
  for (const name of [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]) {
    // Files of the running server come and go.
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (!found) continue;
    const bits = found.mode & 0o077;
    modes.set(bits, [...(modes.get(bits) ?? []), name]);
  }
  return modes;
}

test("FILE-37 FILE-40 a new data directory is for its owner alone, and a group reads new files where it may read the directory", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-modes-"));
  const dataDir = join(folder, "data");
  const before = process.umask(0o022);
  const first = await startServer({ dataDir });
  const add = async (to: Server, id: string) => {
    await to.request("POST", "/api/collections/image", { body: { id } });
    await upload(to, `image/${id}/image`, { name: "one.png", bytes: await picture(40, 30, { format: "png" }) });
    await to.request("GET", `/imageworks/image/${id}/image.png?w=10`);
  };
  await first.makeSchema({ id: "leaf", properties: { title: { type: "string" } }, required: [], index: [] });
  await add(first, "one");
  const own = openModes(dataDir);
  assert.deepEqual([...own.keys()], [0], JSON.stringify([...own]));
  await first.stop();
  chmodSync(dataDir, 0o755);
  const second = await startServer({ dataDir });
  process.umask(before);
  await add(second, "two");
  const place = join(dataDir, "image", "two");
  assert.deepEqual([...openModes(place).keys()].sort(), [0o040, 0o050]);
  assert.equal(statSync(dataDir).mode & 0o777, 0o755);
  await second.stop();
  rmSync(folder, { recursive: true });
});

test("FILE-38 a form with a file to import is staged, for its owner alone", async () => {
  const form = `--part\r\nContent-Disposition: form-data; name="json"; filename="a.json"\r\n\r\n[{"id":"a"},`;
  const headers = {
    "x-api-key": server.key,
    "content-type": "multipart/form-data; boundary=part",
    "content-length": "100000",
  };
  const sending = httpRequest(`${server.url}/api/import/collections/image/json`, { method: "POST", headers });
  sending.on("error", () => {}).write(form + " ".repeat(70_000));
  const staging = join(server.dataDir, ".system", "uploads");
  assert.ok(await until(() => readdirSync(staging).length > 0));
  for (const name of readdirSync(staging)) assert.equal(statSync(join(staging, name)).mode & 0o077, 0);
  sending.destroy();
  assert.ok(await until(() => readdirSync(staging).length === 0));
});
