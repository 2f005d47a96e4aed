// The OAuth log on a small file system of its own, filled to the brim. Needs root, to mount it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { type Server, startServer } from "../harness.ts";
import { type Client, connect, makeClient, refresh, withToken } from "../support/oauth-app.ts";
import { makeUser, type Person, signIn } from "../support/sign-in.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-full-log-"));
const logs = join(folder, ".system", "logs");
const filler = join(logs, "filler");
let server: Server;
let client: Client;
let person: Person;

before(async () => {
  mkdirSync(logs, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", logs]);
  const settings = { api: { rateLimit: 0 }, oauth: { tokenEndpointLimit: 0 } };
  server = await startServer({ dataDir: folder, settings });
  await server.cli(["oauth:setup"]);
  await makeUser(server, "ada", ["editor"]);
  person = await signIn(server, "ada");
  client = await makeClient(server);
});
after(async () => {
  await server?.stop();
  execFileSync("umount", [logs]);
  rmSync(folder, { recursive: true });
});

const records = () => readFileSync(join(logs, "mcp.log"), "utf8").trimEnd().split("\n");
/** The lines of the service's log may be read late, but they carry their time. */
const failures = (since = "") =>
  server.stderr
    .split("\n")
    .filter((line) => line.includes("the OAuth log could not be written"))
    .filter((line) => (/"time":"([^"]+)"/.exec(line)?.[1] ?? "~") > since).length;

test("OAU-83 DUR-25 a log disk that is full stops no application, and the failure is seen (F12)", async () => {
  let { accessToken, refreshToken } = await connect(server, person, { client, scope: "cms:read" });
  assert.equal(failures(), 0);
  const { bavail, bsize } = statfsSync(logs);
  writeFileSync(filler, Buffer.alloc((bavail - 2) * bsize));
  for (let call = 0; call < 500; call += 1) {
    const answer = await refresh(server, client, refreshToken);
    assert.equal(answer.status, 200, answer.text);
    ({ access_token: accessToken, refresh_token: refreshToken } = answer.body);
  }
  assert.equal((await withToken(server, accessToken, "GET", "/api/collections")).status, 200);
  await until(() => failures() > 0);

  // Room again: the next record stands on a line of its own, behind whatever the full disk cut off.
  rmSync(filler);
  const since = new Date().toISOString();
  await refresh(server, client, refreshToken);
  assert.equal(failures(since), 0);
  assert.match(records().at(-1) as string, /^\[[^\]]+\] oauth-activity\.INFO: Access token refreshed \{.*\}$/);
});
