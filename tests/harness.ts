// Starts a real server as a child process on a free port, with a data directory (and, on PostgreSQL, a database) of its own.
// Black-box tests reach the product only through this: HTTP and the command line. It builds and carries; it never asserts.
// The engine is chosen by CAIRN_TEST_ENGINE; the cluster for "postgres" is named by CAIRN_TEST_POSTGRES_URL.

import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

import { oneProcess } from "../scripts/one-node.ts";
import { nodeFlags } from "../scripts/warm-pool.ts";
import { type AnswerHeaders, answerHeaders } from "./support/answer-headers.ts";
import { createDatabase, databaseUrl, runSql } from "./support/databases.ts";
import { keptConnections } from "./support/kept-connections.ts";
import { beginWarm, canBeWarm, runWarm, type Warm } from "./support/warm.ts";

// An import would also load Node's WebSocket, which takes as long as the rest of a test's start.
export const http = process.getBuiltinModule("node:http");

export const root = resolve(import.meta.dirname, "..");
export type Engine = "sqlite" | "postgres";
export const engine: Engine = process.env.CAIRN_TEST_ENGINE === "postgres" ? "postgres" : "sqlite";

/** How often a test of kills or races repeats them: some times, and many times in a soak run. */
export const repeats = (some: number, many: number): number => (process.env.CAIRN_TEST_SOAK === "1" ? many : some);

const readyLine = /^Cairn is ready at (http:\/\/\S+)$/m;
/** They end what hangs; a busy machine takes its time. */
const startTimeout = 300_000;
const stopTimeout = 300_000;

export interface StartOptions {
  env?: Record<string, string>;
  /** Nested by section; written to the data directory's settings.json before the start. */
  settings?: Record<string, unknown>;
  /** An existing directory to use; the caller removes it. */
  dataDir?: string;
  /** `serve` unless set. */
  command?: "serve" | "dev";
  /** Arguments after the command. */
  args?: string[];
  /** The project; the repository when left out. */
  cwd?: string;
  /** The folder of another installation of Cairn. */
  installation?: string;
  /** With the keys of `oauth:setup`. */
  hasOAuth?: boolean;
  /** In a new process, for tests that measure it or count on its first moments. */
  isFresh?: boolean;
}

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is; the caller sets the content type. */
  raw?: string | Uint8Array;
  headers?: Record<string, string | string[]>;
  /** The API key; null sends none. */
  key?: string | null;
}

export interface Answer {
  status: number;
  headers: AnswerHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
  body: any;
}

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Server {
  readonly url: string;
  readonly pid: number;
  readonly key: string;
  readonly dataDir: string;
  /** Of all nodes (CAIRN_TEST_NODES). */
  readonly dataDirs: readonly string[];
  /** The environment that the server and its commands run in. */
  readonly env: Record<string, string>;
  /** Everything printed since the last start. */
  readonly stdout: string;
  readonly stderr: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  cli(args: string[], options?: { input?: string | Uint8Array }): Promise<CliResult>;
  /** Over HTTP, with the server's key; null gives the setting back to what holds without it. */
  setSetting(name: string, value: unknown): Promise<void>;
  /** Over HTTP; a key for everything unless `limits` says less. */
  makeKey(limits?: Record<string, unknown>): Promise<{ id: string; key: string }>;
  makeSchema(schema: Record<string, unknown>): Promise<Answer>;
  makeCollection(settings: Record<string, unknown>): Promise<Answer>;
  /** SIGTERM; the data stay for `restart`. Resolves to the exit code. */
  terminate(): Promise<number | null>;
  /** SIGTERM, then cleans up. Resolves to the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL; the data stay for `restart`. */
  kill(): Promise<void>;
  /** Starts again on the same data, after `kill`, `terminate` or while it runs; the port may change. */
  restart(): Promise<void>;
}

export async function startServer(options: StartOptions = {}): Promise<Server> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "cairn-test-"));
  if (!options.dataDir) leftovers.add(dataDir);
  const seed = options.dataDir || options.env?.CAIRN_DATABASE_URL ? undefined : takeSeed();
  const { hasOAuth = false } = options;
  // Only by hand: most tests need neither the proxy nor the bucket.
  const several = process.env.CAIRN_TEST_NODES ? await import("./support/nodes.ts") : undefined;
  const nodes = await several?.openNodes(options.env);
  const database = engine === "postgres" ? await createDatabase(seed?.database) : undefined;
  const env = cleanEnvironment({
    CAIRN_DATA: dataDir,
    CAIRN_LOG_LEVEL: "warn",
    // A machine that has much else to do must not make a query fail.
    CAIRN_QUERY_TIMEOUT: "PT2M",
    CAIRN_QUERY_TIMEOUT_PUBLIC: "PT2M",
    CAIRN_QUERY_BUDGET_PUBLIC: "PT0S",
    // All tests come from one address.
    CAIRN_SITE_RENDER_LIMIT: "0",
    CAIRN_EXTENSIONS_TIME_FACTOR: "30",
    ...(database && { CAIRN_DATABASE_URL: database.url }),
    ...nodes?.env,
    ...options.env,
  });
  if (seed) {
    cpSync(seed.dataDir, dataDir, { recursive: true });
    if (hasOAuth) cpSync(seed.oauthKeys, join(dataDir, ".system", "oauth-keys"), { recursive: true });
  }
  // Where a test says nothing about it.
  const history = options.dataDir ? undefined : process.env.CAIRN_TEST_HISTORY;
  const settings = history ? { history: { default: history }, ...options.settings } : options.settings;
  if (settings) {
    mkdirSync(join(dataDir, ".system"), { recursive: true });
    writeFileSync(join(dataDir, ".system", "settings.json"), JSON.stringify(settings));
  }

  const key = seed?.key ?? (await createKey(env));
  if (hasOAuth && !seed) await runCairn(["oauth:setup"], { env });

  const args = [options.command ?? "serve", "--port", "0", ...workersOf(options), ...(options.args ?? [])];
  const launchAll = async () => {
    const first = await launch(args, env, options);
    await nodes?.start(first, env, (own) => launch(args, own, options));
    return first;
  };
  const endAll = async (signal: "SIGTERM" | "SIGKILL") => {
    await nodes?.end(signal);
    return running.end(signal);
  };
  let running = await launchAll();
  const agent = keptConnections(64);

  async function cleanUp(): Promise<void> {
    agent.destroy();
    if (!options.dataDir) {
      rmSync(dataDir, { recursive: true, force: true });
      leftovers.delete(dataDir);
    }
    await nodes?.close();
    await database?.drop();
  }

  const server: Server = {
    get url() {
      return nodes?.url ?? running.url;
    },
    get pid() {
      return running.pid;
    },
    get stdout() {
      return running.stdout() + (nodes?.stdout() ?? "");
    },
    get stderr() {
      return running.stderr() + (nodes?.stderr() ?? "");
    },
    key,
    dataDir,
    dataDirs: [dataDir, ...(nodes?.folders ?? [])],
    env,
    request(method, path, requestOptions = {}) {
      const { key: asked, ...rest } = requestOptions;
      const sent = asked === undefined ? key : asked;
      return send(agent, server.url, method, path, {
        ...rest,
        headers: { ...(sent !== null && { "x-api-key": sent }), ...rest.headers },
      });
    },
    cli: (cliArgs, cliOptions) => runCairn(cliArgs, { env, cwd: options.cwd ?? root, ...cliOptions }),
    async setSetting(name, value) {
      const [section, rest] = name.includes(".") ? name.split(/\.(.*)/s) : ["general", name];
      const answer = await server.request("PUT", `/api/settings/${section}`, { body: { [rest as string]: value } });
      if (answer.status !== 200) throw new Error(`${name} cannot be set: ${answer.status} ${answer.text}`);
    },
    async makeKey(limits = {}) {
      const everything = { methods: ["GET", "POST", "PUT", "PATCH", "DELETE"], endpoints: ["*"] };
      const body = { name: "made", ...everything, ...limits };
      return expectCreated(await server.request("POST", "/api/apikeys", { body })).body.data;
    },
    makeSchema(schema) {
      return server.request("POST", "/api/schemas", { body: schema }).then(expectCreated);
    },
    makeCollection(settings) {
      return server.request("POST", "/api/collections", { body: settings }).then(expectCreated);
    },
    terminate: () => endAll("SIGTERM"),
    async stop() {
      // The server would wait a moment for the next request on them.
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
      const code = await endAll("SIGTERM");
      await cleanUp();
      return code;
    },
    async kill() {
      await endAll("SIGKILL");
    },
    async restart() {
      await endAll("SIGTERM");
      running = await launchAll();
    },
  };
  return server;
}

/** CAIRN_TEST_WORKERS=2 runs any file against several processes on SQLite, by hand. */
function workersOf({ command = "serve", args = [] }: StartOptions): string[] {
  const asked = oneProcess.has(relative(root, process.argv[1] ?? "")) ? undefined : process.env.CAIRN_TEST_WORKERS;
  return asked && engine === "sqlite" && command === "serve" && !args.includes("--workers") ? ["--workers", asked] : [];
}

async function createKey(env: Record<string, string>): Promise<string> {
  const created = await runCairn(["key:create", "--name", "tests", "--json"], { env });
  if (created.code !== 0)
    throw new Error(`key:create failed (exit ${created.code}): ${created.stderr}${created.stdout}`);
  return (JSON.parse(created.stdout) as { key: string }).key;
}

/** A data directory, and on PostgreSQL a database, in which commands made an API key and OAuth's keys. */
type Seed = { dataDir: string; key: string; oauthKeys: string; database?: string };

/** As many servers of a test file start on a copy, without commands of their own; further ones are rare. */
const seedCount = 3;

/** Made once for a whole run. */
export async function makeSeeds(folder: string, on: Engine, cluster: string): Promise<void> {
  const makeSeed = async (at: number): Promise<void> => {
    const dataDir = join(folder, `${on}-${at}`);
    const database = on === "postgres" ? `cairn_seed_${at}` : undefined;
    if (database) await runSql(cluster, `create database ${database}`);
    const env = cleanEnvironment({
      CAIRN_DATA: dataDir,
      ...(database && { CAIRN_DATABASE_URL: databaseUrl(cluster, database) }),
    });
    const key = await createKey(env);
    // As files of a single server, which the first node takes in.
    const other = `${dataDir}-oauth`;
    const alone = cleanEnvironment({ CAIRN_DATA: other });
    await createKey(alone);
    await runCairn(["oauth:setup"], { env: alone });
    const oauthKeys = `${dataDir}-oauth-keys`;
    renameSync(join(other, ".system", "oauth-keys"), oauthKeys);
    const seed: Seed = { dataDir, key, oauthKeys, ...(database && { database }) };
    writeFileSync(join(folder, `${on}-${at}.json`), JSON.stringify(seed));
  };
  await Promise.all(Array.from({ length: seedCount }, (_, at) => makeSeed(at)));
}

let seedsTaken = 0;
/** Each is for one server of a test only: no two may share a key. */
function takeSeed(): Seed | undefined {
  const folder = process.env.CAIRN_TEST_SEEDS;
  const file = folder && join(folder, `${engine}-${seedsTaken++}.json`);
  return file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/** One command of the executable, run to its end. */
export function runCairn(
  args: string[],
  options: { env: Record<string, string>; input?: string | Uint8Array; isFresh?: boolean } & Pick<
    StartOptions,
    "cwd" | "installation"
  >,
): Promise<CliResult> {
  const { env, input = "", installation = root, cwd = installation, isFresh = false } = options;
  if (!isFresh && installation === root && canBeWarm(args, env))
    return runWarm({ args, env, cwd, input: Buffer.from(input).toString("base64") });
  const child = spawn(process.execPath, nodeArgs(args, installation), { cwd, env });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ code, stdout: stdout(), stderr: stderr() }));
  });
}

/** A process of `cairn` that may or may not become ready; for tests of the start itself. */
export interface Launched {
  url: string;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Sends the signal unless the process has ended already; resolves to the exit code. */
  end(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null>;
}

/** Resolves when the ready line is printed; rejects with what the process said when it ends or stalls before. */
export async function launch(
  args: string[],
  env: Record<string, string>,
  {
    installation = root,
    cwd = installation,
    isFresh = false,
  }: Pick<StartOptions, "cwd" | "installation" | "isFresh"> = {},
): Promise<Launched> {
  const isWarm = !isFresh && installation === root && canBeWarm(args, env);
  let look = () => {};
  const running = isWarm
    ? await beginWarm({ args, env, cwd, input: "" }, () => look())
    : beginFresh({ args, env, cwd, installation }, () => look());
  const { pid, stdout, stderr, ended } = running;
  let hasEnded = false;
  let isReady = false;
  let isAsked = false;
  const noteEnd = (code?: unknown) => {
    hasEnded = true;
    // Else all that is seen of a crash is a refused connection.
    if (typeof code === "number" && code > 0 && isReady && !isAsked)
      console.error(`cairn ${args.join(" ")} ended by itself with code ${code}\n${stderr()}`);
  };
  ended.then(noteEnd, () => noteEnd());

  const url = await new Promise<string>((done, failed) => {
    const complain = (what: string) => failed(new Error(`cairn ${args.join(" ")} ${what}\n${stderr()}${stdout()}`));
    const timer = setTimeout(() => {
      process.kill(pid, "SIGKILL");
      complain(`was not ready after ${startTimeout} ms`);
    }, startTimeout);
    look = () => {
      const found = readyLine.exec(stdout());
      if (!found) return;
      clearTimeout(timer);
      look = () => {};
      isReady = true;
      done(found[1] as string);
    };
    look();
    const end = (how: unknown) => {
      clearTimeout(timer);
      complain(`ended with code ${how} before it was ready`);
    };
    ended.then(end, end);
  });

  return {
    url,
    pid,
    stdout,
    stderr,
    async end(signal) {
      isAsked = true;
      if (!hasEnded) process.kill(pid, signal);
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        process.kill(pid, "SIGKILL");
      }, stopTimeout);
      const code = await ended.finally(() => clearTimeout(timer));
      if (isLate) throw new Error(`cairn did not end within ${stopTimeout} ms of ${signal}\n${stderr()}`);
      return code;
    },
  };
}

/** In a process of its own. */
function beginFresh(
  asked: { args: string[]; env: Record<string, string>; cwd: string; installation: string },
  onPrinted: () => void,
): Warm {
  const { args, env, cwd, installation } = asked;
  const child = spawn(process.execPath, nodeArgs(args, installation), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdout.on("data", onPrinted);
  const ended = new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    child.once("close", done);
  }).finally(() => children.delete(child));
  ended.catch(() => {});
  return { pid: child.pid as number, stdout, stderr, ended };
}

/** One request over HTTP, the path sent exactly as given. */
export function send(
  agent: Agent | undefined,
  url: string,
  method: string,
  path: string,
  options: RequestOptions,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const headers: Record<string, string | string[]> = { ...options.headers };
  const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (options.raw === undefined && payload !== undefined) headers["content-type"] ??= "application/json";
  if (payload !== undefined && headers["transfer-encoding"] === undefined)
    headers["content-length"] ??= String(Buffer.byteLength(payload));
  return new Promise((done, failed) => {
    let isAnswered = false;
    const outgoing = http.request({ ...(agent && { agent }), hostname, port, method, path, headers }, (incoming) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", failed);
      incoming.on("close", () => failed(new Error(`the answer to ${method} ${path} was cut short`)));
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const received = answerHeaders(incoming.headersDistinct);
        const isJson = /\bjson\b/.test(received.get("content-type") ?? "") && text !== "";
        done({
          status: incoming.statusCode as number,
          headers: received,
          text,
          body: isJson ? JSON.parse(text) : undefined,
        });
      });
    });
    // Who refuses a body unread may close before all of it is written; the answer is what counts.
    outgoing.on("error", (error) => isAnswered || failed(error));
    outgoing.end(payload);
  });
}

/** This process's environment without anything that would steer a server, but for what bin/cairn sets. */
export function cleanEnvironment(added: Record<string, string>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && !/^(CAIRN_|PORT$|NODE_|npm_)/.test(name)) env[name] = value;
  // Where the run collects statements that would hold up a server (STO-70).
  const { CAIRN_PLANS_FILE } = process.env;
  if (CAIRN_PLANS_FILE) env.CAIRN_PLANS_FILE = CAIRN_PLANS_FILE;
  return {
    ...env,
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "cairn"),
    // Tests that need the admin web app build it before.
    CAIRN_ADMIN_BUILD: "false",
    ...added,
  };
}

function nodeArgs(args: string[], installation: string = root): string[] {
  const main = join(installation, "src", "main.ts");
  return [...nodeFlags, main, ...args];
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

function expectCreated(answer: Answer): Answer {
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${answer.text}`);
  return answer;
}

// A test file that fails before its `stop` leaves no process and no folder behind.
const children = new Set<ChildProcess>();
const leftovers = new Set<string>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of leftovers) rmSync(folder, { recursive: true, force: true });
});
