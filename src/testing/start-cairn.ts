// `startCairn` of "cairn/testing": a real server on a free port in the process of the test, with temporary data and one
// extension that is approved and enabled. types/extension.d.ts describes it.

import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { system } from "#access/actor.ts";
import { createKey } from "#access/api-keys.ts";
import { installStarter } from "#admin/starters/install-starter.ts";
import { openApp } from "#app.ts";
import { addStandIn } from "#base/net/stand-ins.ts";
import type { Host } from "#cli/call.ts";
import { runCli } from "#cli/commands.ts";
import { loadSettings } from "#config/config.ts";
import { contextFor } from "#context.ts";
import type { Json, JsonObject } from "#contract/json.ts";
import { createSetupGate } from "#http/pages/setup.ts";
import { createServer } from "#http/server.ts";
import { settingRules } from "#installation/setting-rules.ts";
import { createAgent } from "./agent.ts";
import { createSessions } from "./sessions.ts";

export interface StartOptions {
  extension: string;
  settings?: JsonObject;
  demo?: boolean;
  engine?: "sqlite" | "postgres";
  server?: JsonObject;
}

interface TestFetch {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  as?: string;
}

interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

interface FakeRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string;
}

type LogLine = { level: string; text: string; data: Json };

export async function startCairn(options: StartOptions) {
  const folder = resolve(options.extension);
  const { id } = JSON.parse(await readFile(join(folder, "extension.json"), "utf8")) as { id: string };
  const home = await mkdtemp(join(tmpdir(), "cairn-extension-"));
  const dataDir = join(home, "data");
  await copyExtension(folder, join(home, "extensions", id));
  await mkdir(join(dataDir, ".system"), { recursive: true });
  await writeFile(join(dataDir, ".system", "settings.json"), JSON.stringify(nested(options.server ?? {})));
  const env = { ...process.env, ...databaseFor(options.engine) };
  const flags = { data: dataDir, host: "127.0.0.1", port: "0" };
  const settings = loadSettings({
    projectDir: home,
    env: { CAIRN_LOG_LEVEL: "silent", ...env },
    flags,
    rules: settingRules,
  });
  const { app, runJobs, close } = await openApp(settings, "server");
  const root = contextFor(app, system);
  if (options.demo === true) await installStarter(root, "walks");
  const server = await createServer(app, { setup: await createSetupGate(app, "tests") });
  await server.listen({ host: "127.0.0.1", port: 0 });
  runJobs();
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const { key } = await createKey(root, { name: "tests", methods, endpoints: ["*"], published: false });

  async function send(path: string, { method, headers = {}, body }: TestFetch): Promise<Response> {
    const isPlain = body === undefined || typeof body === "string" || body instanceof Uint8Array;
    return fetch(new URL(path, url), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...(!isPlain && { "content-type": "application/json" }), ...headers },
      redirect: "manual",
      ...(body !== undefined && { body: isPlain ? (body as string) : JSON.stringify(body) }),
    });
  }

  const asAdmin = { "x-api-key": key };
  const sessions = createSessions((path, given) => send(path, given), asAdmin);
  const agent = createAgent((path, given) => send(path, given), asAdmin);
  let log: LogLine[] = [];

  async function expectDone(path: string, given: TestFetch): Promise<Json> {
    const answer = await send(path, { ...given, headers: asAdmin });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text === "" ? null : (JSON.parse(text) as Json);
  }

  const site = {
    url,
    key,
    get log(): readonly LogLine[] {
      return log;
    },
    async fetch(path: string, { as = "admin", ...given }: TestFetch = {}): Promise<Response> {
      const who = as === "anonymous" ? {} : as === "admin" ? asAdmin : await sessions.of(as);
      return send(path, { ...given, headers: { ...who, ...given.headers } });
    },
    mcp: (tool: string, args: JsonObject = {}) => agent.call(tool, args),
    cli: (...args: string[]) => runHere({ projectDir: home, env }, [...args, "--data", dataDir]),
    async settle(): Promise<void> {
      await app.jobs.tick();
      const { data } = (await expectDone(`/api/extensions/${id}/log`, {})) as unknown as { data: LogLine[] };
      log = data;
    },
    fakeHost(host: string, answer: (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>): void {
      addStandIn(host, async ({ url: { pathname, searchParams }, method, headers, body = "" }) => {
        const query = Object.fromEntries(searchParams);
        const {
          status = 200,
          headers: own = {},
          body: sent = "",
        } = await answer({
          ...{ method, path: pathname, query, headers, body },
        });
        const text = typeof sent === "string" ? sent : JSON.stringify(sent);
        return { status, headers: own, body: Buffer.from(text), isCut: false };
      });
    },
    async close(): Promise<void> {
      server.server.closeAllConnections();
      await server.close();
      await close();
      await rm(home, { recursive: true, force: true });
    },
  };

  try {
    const { data } = (await expectDone(`/api/extensions/${id}`, {})) as unknown as { data: { fingerprint: string } };
    if (options.settings) await expectDone(`/api/extensions/${id}/settings`, { method: "PUT", body: options.settings });
    await expectDone(`/api/extensions/${id}/enable`, { body: { approve: data.fingerprint } });
    return site;
  } catch (error) {
    await site.close();
    throw error;
  }
}

/** A copy, because the server refuses links; packages stay where they are. */
async function copyExtension(from: string, to: string): Promise<void> {
  const packages = join(from, "node_modules");
  await cp(from, to, { recursive: true, filter: (path) => path !== packages && basename(path) !== ".git" });
  await symlink(packages, join(to, "node_modules"));
}

function databaseFor(engine: StartOptions["engine"]): Record<string, string> {
  if (engine !== "postgres") return { CAIRN_DATABASE_URL: "" };
  const address = process.env.CAIRN_TEST_DATABASE_URL;
  if (!address) throw new Error("CAIRN_TEST_DATABASE_URL must name an empty PostgreSQL database for these tests.");
  return { CAIRN_DATABASE_URL: address };
}

/** From dotted names to sections. */
function nested(values: JsonObject): JsonObject {
  const all: JsonObject = {};
  for (const [name, value] of Object.entries(values)) {
    const [section, key] = name.includes(".") ? (name.split(/\.(.*)/s) as [string, string]) : [name, undefined];
    all[section] = key === undefined ? value : { ...(all[section] as JsonObject | undefined), [key]: value };
  }
  return all;
}

/** In this process, so that fake hosts hold for commands as well. */
async function runHere(
  place: Pick<Host, "projectDir" | "env">,
  argv: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const texts = { stdout: "", stderr: "" };
  stdout.on("data", (chunk) => (texts.stdout += chunk));
  stderr.on("data", (chunk) => (texts.stderr += chunk));
  const serve = () => Promise.reject(new Error("A test has its own server."));
  const code = await runCli(argv, { openApp, serve, ...place, stdin, stdout, stderr });
  return { code, ...texts };
}
