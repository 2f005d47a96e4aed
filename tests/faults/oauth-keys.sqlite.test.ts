// `oauth:setup --force` that dies at any moment: the old tokens live on under the old key or are over, never under a new one.

import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { until } from "#base/patience.fixture.ts";
import { ensureCommand } from "../../scripts/debian.ts";
import { cleanEnvironment, repeats, root, runCairn, type Server } from "../harness.ts";
import { type Client, connect, refresh, type Tokens, withToken } from "../support/oauth-app.ts";
import type { Person } from "../support/sign-in.ts";
import { startOAuthSite } from "./oauth-site.ts";

let server: Server;
let client: Client;
let person: Person;

before(async () => {
  ({ server, client, person } = await startOAuthSite());
});
after(() => server.stop());

const folder = () => join(server.dataDir, ".system", "oauth-keys");
const privateKey = () => join(folder(), "private.key");
const publicOf = (file: string) =>
  createPublicKey(readFileSync(file, "utf8")).export({ type: "spki", format: "pem" }) as string;
const isOpen = async ({ accessToken }: Tokens) =>
  (await withToken(server, accessToken, "GET", "/api/collections")).status === 200;
const canRefresh = async ({ refreshToken }: Tokens) => (await refresh(server, client, refreshToken)).status === 200;
const newTokens = () => connect(server, person, { client, scope: "cms:read" });

function startRotation(): ChildProcess {
  const args = [join(root, "src", "main.ts"), "oauth:setup", "--force"];
  return spawn(process.execPath, args, { cwd: root, env: server.env, stdio: "ignore" });
}

/** Kills the command as soon as the condition holds; false: it was faster. */
async function killWhen(command: ChildProcess, isTime: () => boolean): Promise<boolean> {
  const ended = new Promise<void>((done) => command.once("exit", () => done()));
  while (command.exitCode === null && !isTime()) await turn();
  command.kill("SIGKILL");
  await ended;
  return command.signalCode === "SIGKILL";
}

/** Once the new key has its name, just after that, and at any moment. */
function moments(): Record<string, () => boolean> {
  const inode = statSync(privateKey()).ino;
  const isReplaced = () => statSync(privateKey()).ino !== inode;
  const started = Date.now();
  const after = Math.random() * 900;
  let replaced = Number.POSITIVE_INFINITY;
  return {
    replaced: isReplaced,
    "a moment later": () => {
      if (isReplaced()) replaced = Math.min(replaced, Date.now());
      return Date.now() - replaced >= 3;
    },
    "at random": () => Date.now() - started > after,
  };
}

test("OAU-11 DUR-21 an interrupted key change leaves no old token valid under the new key (F10)", async () => {
  let halfDone = 0;
  const wanted = ["replaced", "a moment later", "at random"];
  // Until one was killed in time.
  for (let at = 0; at < repeats(3, 4) || halfDone === 0; at += 1) {
    const moment = wanted[at % 3] as string;
    const old = await newTokens();
    assert.ok(await isOpen(old));
    const keyBefore = publicOf(privateKey());
    if (await killWhen(startRotation(), moments()[moment] as () => boolean)) halfDone += 1;
    if (publicOf(privateKey()) !== keyBefore) {
      assert.equal(await isOpen(old), false, `${moment}: an old access token is accepted`);
      assert.equal(await canRefresh(old), false, `${moment}: an old refresh token is accepted`);
    }
    await server.kill();
    await server.restart();
    if (publicOf(privateKey()) !== keyBefore) {
      assert.equal(await isOpen(old), false, `${moment}: an old access token is back`);
      assert.equal(await canRefresh(old), false, `${moment}: an old refresh token is back`);
    }
    await checkPair();
  }
});

/** A new token verifies with the key set, the key set is that of the private file, and so is the public file. */
async function checkPair(): Promise<void> {
  const { accessToken } = await newTokens();
  const { keys } = (await server.request("GET", "/.well-known/jwks.json", { key: null })).body;
  const shown = createPublicKey({ key: keys[0], format: "jwk" });
  const [header, claims, signature] = accessToken.split(".") as [string, string, string];
  const signed = Buffer.from(`${header}.${claims}`);
  assert.ok(verify("sha256", signed, shown, Buffer.from(signature, "base64url")));
  assert.equal(shown.export({ type: "spki", format: "pem" }), publicOf(privateKey()));
  const publicKey = join(folder(), "public.key");
  await until(() => publicOf(publicKey) === publicOf(privateKey()));
}

test("OAU-11 concurrent key changes leave one pair", async () => {
  const runs = await Promise.all(Array.from({ length: 3 }, () => server.cli(["oauth:setup", "--force"])));
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0],
  );
  await checkPair();
});

test("OAU-10 the private key is readable by its owner alone from the first byte, whatever the umask (T118)", async () => {
  ensureCommand("strace");
  const dataDir = mkdtempSync(join(tmpdir(), "cairn-keys-"));
  try {
    await runCairn(["key:create", "--name", "k"], { env: cleanEnvironment({ CAIRN_DATA: dataDir }) });
    for (const more of ["", "--force"]) {
      const file = join(dataDir, "calls");
      const traced = "openat,open,creat,chmod,fchmod,fchmodat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat";
      const script = `umask 000; exec strace -f -s 200 -o "${file}" -e trace=${traced} "$0" src/main.ts oauth:setup ${more}`;
      const env = cleanEnvironment({ CAIRN_DATA: dataDir });
      await promisify(execFile)("sh", ["-c", script, process.execPath], { cwd: root, env });
      const calls = readFileSync(file, "utf8").split("\n");
      const made = calls.filter((call) => call.includes("private.key") && /O_CREAT|creat\(/.test(call));
      assert.equal(made.length, 1);
      assert.match(made[0] as string, /O_EXCL.*, 0600\)/);
      for (const call of calls) if (/chmod.*private\.key/.test(call)) assert.match(call, /, 0600\)/);
      const mode = (path: string) => statSync(join(dataDir, ".system", "oauth-keys", path)).mode & 0o777;
      assert.deepEqual([mode("."), mode("private.key")], [0o700, 0o600]);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
