// What OAuth costs: a read with an access token beside the same read with an API key, and how many refreshes one core makes.

import { generateKeyPairSync, sign } from "node:crypto";
import { Agent } from "node:http";
import type { RequestOptions } from "../tests/harness.ts";
import { send } from "../tests/harness.ts";
import { connect, makeClient, refresh } from "../tests/support/oauth-app.ts";
import { cpuSeconds, finish } from "./processes.ts";
import { closeSite, measure, openSite, type Site } from "./site.ts";
import { type Row, whole } from "./table.ts";
import { type Read, readRequests, reads } from "./workloads.ts";

const rounds = 3;
const chains = 32;
const most = 60;
const least = 200;

export async function benchTokens(seconds: number, add: (row: Row) => void): Promise<void> {
  const site = await openSite(1_000);
  await finish("src/main.ts", ["oauth:setup"], site.env);
  await finish("src/main.ts", ["settings:set", "oauth.tokenEndpointLimit", "0"], site.env);
  const app = await makeApp(site);
  await benchBearer(site, { ...app, seconds }, add);
  await benchRefresh(site, { ...app, seconds }, add);
  await closeSite(site);
}

type App = Awaited<ReturnType<typeof makeApp>>;

async function makeApp(site: Site) {
  const agent = new Agent({ keepAlive: true });
  const request = (method: string, path: string, { key, ...options }: RequestOptions = {}) => {
    const headers = { ...(key !== null && { "x-api-key": site.key }), ...options.headers };
    return send(agent, site.cairn.url, method, path, { ...options, headers });
  };
  const [id, password] = ["bench", "correct-horse-1"];
  const body = { id, email: "bench@example.test", password, groups: ["editor"], active: true };
  await request("POST", "/api/collections/auth", { body });
  const login = await request("POST", "/api/auth/login", { key: null, body: { login: id, password } });
  const cookie = (login.headers.get("set-cookie") ?? "").split(";", 1)[0] as string;
  const headers = { cookie, "x-csrf-token": login.body.data.csrfToken };
  const person = {
    request: (method: string, path: string, options: RequestOptions = {}) =>
      request(method, path, { ...options, key: null, headers: { ...headers, ...options.headers } }),
  };
  const client = await makeClient({ request });
  return { server: { request }, client, connect: () => connect({ request }, person, { client, scope: "cms:read" }) };
}

/** In turns, so that a busy moment of the machine meets both; the least of each counts. */
async function benchBearer(site: Site, app: App & { seconds: number }, add: (row: Row) => void): Promise<void> {
  const requests = readRequests(reads[0] as Read, "varied", site.objects);
  const { accessToken } = await app.connect();
  const headers = { authorization: `Bearer ${accessToken}` };
  const [byToken, byKey]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    byKey.push((await measure(site, { requests, seconds: app.seconds, target: "cairn" })).cpu);
    byToken.push((await measure(site, { requests, seconds: app.seconds, target: "cairn", headers })).cpu);
  }
  const [ours, floor] = [Math.min(...byToken), Math.min(...byKey)];
  add({
    workload: "get one object by id, with access token, against API key",
    cairn: `${ours.toFixed(1)} µs`,
    floor: `${floor.toFixed(1)} µs`,
    ratio: (ours / floor).toFixed(2),
    bar: `+ ${most} µs`,
    isMet: ours - floor < most,
  });
}

async function benchRefresh(site: Site, app: App & { seconds: number }, add: (row: Row) => void): Promise<void> {
  const { server, client, seconds } = app;
  const first = await Promise.all(Array.from({ length: chains }, () => app.connect()));
  const before = cpuSeconds(site.cairn.pid);
  const started = performance.now();
  const end = started + seconds * 1_000;
  let count = 0;
  await Promise.all(
    first.map(async ({ refreshToken }) => {
      for (let token = refreshToken; performance.now() < end; count += 1) {
        const { status, body, text } = await refresh(server, client, token);
        if (status !== 200) throw new Error(`a refresh answered ${status}: ${text}`);
        token = body.refresh_token;
      }
    }),
  );
  const rate = count / ((performance.now() - started) / 1_000);
  const cpu = ((cpuSeconds(site.cairn.pid) - before) / count) * 1e6;
  const signing = signatureCpu();
  add({
    workload: `token refresh, ${chains} at once, against the signature alone`,
    cairn: `${whole(rate)}/s, ${whole(cpu)} µs`,
    floor: `${whole(signing)} µs`,
    ratio: (signing / cpu).toFixed(2),
    bar: `${whole(1e6 / least)} µs (${least}/s)`,
    isMet: cpu <= 1e6 / least,
  });
}

/** Processor time of one RS256 signature: no token is made without. */
function signatureCpu(): number {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const text = Buffer.alloc(600);
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let n = 0; n < 40; n += 1) sign("sha256", text, privateKey);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 40;
  });
  return Math.min(...times);
}
