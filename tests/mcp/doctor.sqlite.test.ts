// mcp:status and mcp:doctor, against the server itself and behind proxies that break things in the usual ways.

import assert from "node:assert/strict";
import { createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type Server, startServer } from "../harness.ts";

let server: Server;
const proxies: HttpServer[] = [];

before(async () => {
  server = await startServer({ hasOAuth: true });
});
after(async () => {
  for (const proxy of proxies) proxy.close();
  await server.stop();
});

interface Diagnosis {
  code: number | null;
  isWell: boolean;
  /** Check -> result. */
  results: Record<string, string>;
  fixes: string;
}

async function examine(url: string, ...args: string[]): Promise<Diagnosis> {
  const { code, stdout } = await server.cli(["mcp:doctor", url, "--json", ...args]);
  const { isWell, checks } = JSON.parse(stdout);
  const results = Object.fromEntries(checks.map((one: { check: string; result: string }) => [one.check, one.result]));
  return { code, isWell, results, fixes: checks.map((one: { fix?: string }) => one.fix ?? "").join(" ") };
}

/** Stands in front of the server; a change that answers by itself returns true. */
async function proxy(change: (req: IncomingMessage, res: ServerResponse) => boolean): Promise<string> {
  const front = createServer((req, res) => {
    if (change(req, res)) return;
    const { hostname, port } = new URL(server.url);
    const options = { hostname, port, method: req.method, path: req.url, headers: req.headers };
    const outgoing = request(options, (incoming) => {
      for (const [name, value] of Object.entries(incoming.headers)) {
        if (value !== undefined && !res.hasHeader(`drop-${name}`)) res.setHeader(name, value);
      }
      for (const name of res.getHeaderNames()) if (name.startsWith("drop-")) res.removeHeader(name);
      res.writeHead(incoming.statusCode as number);
      incoming.pipe(res);
    });
    req.pipe(outgoing);
  });
  proxies.push(front);
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

test("MCP-80 the state of the endpoint", async () => {
  const { code, stdout } = await server.cli(["mcp:status", "--json"]);
  const { enabled, publicAccess, oauth, apiKeys, sessions } = JSON.parse(stdout);
  assert.deepEqual([code, enabled, publicAccess, oauth, apiKeys, sessions], [0, true, false, true, true, 0]);
  assert.match((await server.cli(["mcp:status"])).stdout, /^MCP .*on\nenabled .*true/);
});

test("MCP-81 a server that is well", async () => {
  const { code, isWell, results } = await examine(`${server.url}/mcp`, "--key", server.key);
  assert.deepEqual([code, isWell], [0, true], JSON.stringify(results));
  for (const check of [
    "endpoint",
    "challenge",
    "bearer",
    "discovery",
    "authorization server",
    "first message",
    "tools",
  ])
    assert.equal(results[check], "pass", check);
  const { code: plain, stdout } = await server.cli(["mcp:doctor", server.url]);
  assert.equal(plain, 0);
  assert.match(stdout, /pass +endpoint[\s\S]*Clients can connect\.\n$/);
});

test("MCP-81 problems are named, with what to do", async () => {
  const cases: [string, (req: IncomingMessage, res: ServerResponse) => boolean, string, RegExp][] = [
    [
      "a web server that keeps /mcp to itself",
      (req, res) => req.url === "/mcp" && Boolean(res.writeHead(404, { "content-type": "text/html" }).end("<p>No")),
      "rewrite",
      /pass \/mcp/,
    ],
    [
      "a firewall",
      (req, res) => req.url === "/mcp" && Boolean(res.writeHead(403, { "content-type": "text/html" }).end("<p>Bot")),
      "endpoint",
      /exempt \/mcp/,
    ],
    [
      "a redirect",
      (req, res) =>
        req.url === "/mcp" && Boolean(res.writeHead(301, { location: "https://www.example.test/mcp" }).end()),
      "endpoint",
      /Give clients that address/,
    ],
    [
      "a lost Authorization header",
      (req) => {
        delete req.headers.authorization;
        return false;
      },
      "bearer",
      /CGIPassAuth/,
    ],
    [
      "a lost challenge",
      (_req, res) => {
        res.setHeader("drop-www-authenticate", "1");
        return false;
      },
      "challenge",
      /pass this header on/,
    ],
    [
      "closed dot folders",
      (req, res) => Boolean(req.url?.startsWith("/.well-known/")) && Boolean(res.writeHead(404).end()),
      "discovery",
      /folders with a dot/,
    ],
    ["another address than the server's own", () => false, "discovery", /Set CAIRN_URL/],
  ];
  for (const [name, change, check, fix] of cases) {
    const found = await examine(`${await proxy(change)}/mcp`);
    assert.equal(found.code, 1, name);
    assert.equal(found.results[check], "fail", `${name}: ${JSON.stringify(found.results)}`);
    assert.match(found.fixes, fix, name);
  }
});

test("MCP-81 nothing there, switched off, a key that does not open it, no address", async () => {
  const gone = await examine("http://127.0.0.1:1/mcp");
  assert.deepEqual([gone.code, gone.results.endpoint], [1, "fail"]);
  const refused = await examine(server.url, "--key", "cairn_wrong");
  assert.deepEqual([refused.code, refused.results["first message"]], [1, "fail"]);
  await server.setSetting("mcp.enabled", false);
  const off = await examine(server.url);
  assert.deepEqual([off.code, off.results.endpoint], [1, "fail"]);
  assert.match(off.fixes, /mcp\.enabled true/);
  await server.setSetting("mcp.enabled", true);
  for (const address of ["example.org", "ftp://example.org"]) {
    assert.equal((await server.cli(["mcp:doctor", address])).code, 2, address);
  }
});

test("ADM-846 the state of the endpoint over the API, with what each collection opens", async () => {
  await server.makeSchema({ id: "note", properties: { id: { type: "slug" } }, required: ["id"] });
  const tools = { latest: { description: "The latest notes", params: {}, limit: 5 } };
  const mcp = { access: "authenticated", resource: true, tools };
  await server.makeCollection({ id: "news", schema: "note", name: "News", mcp });
  await server.makeCollection({ id: "vault", schema: "note", name: "Vault" });
  const { status, body } = await server.request("GET", "/api/mcp-status");
  const { collections, tools: own, ...setUp } = body.data;
  assert.equal(status, 200);
  assert.deepEqual(setUp, {
    ...JSON.parse((await server.cli(["mcp:status", "--json"])).stdout),
    endpoint: `${server.url}/mcp`,
  });
  assert.deepEqual(
    collections.filter(({ id }: { id: string }) => id === "news" || id === "vault"),
    [
      { id: "news", name: "News", access: "authenticated", resource: true, tools: ["latest"] },
      { id: "vault", name: "Vault", access: "admin", resource: false, tools: [] },
    ],
  );
  assert.ok(own.includes("query_collection"));
});

test("ADM-847 the doctor over the API reaches this site, and no other private address", async () => {
  const own = await server.request("POST", "/api/mcp-doctor");
  assert.deepEqual([own.status, own.body.data.url, own.body.data.isWell], [200, `${server.url}/mcp`, true], own.text);
  let requests = 0;
  const other = await proxy((_req, res) => {
    requests += 1;
    return Boolean(res.writeHead(404).end());
  });
  for (const url of [other, other.replace("127.0.0.1", "localhost"), "http://127.0.0.1:1", "http://169.254.169.254/"]) {
    const { status, body } = await server.request("POST", "/api/mcp-doctor", { body: { url } });
    assert.equal(status, 200);
    const { check, result, message } = body.data.checks.at(-1);
    assert.deepEqual([check, result, message], ["endpoint", "fail", "The address could not be reached."], url);
  }
  assert.equal(requests, 0);
  for (const url of ["example.org", "ftp://example.org", "https://a:b@example.org", 1, ["x"]]) {
    const { status, body } = await server.request("POST", "/api/mcp-doctor", { body: { url } });
    assert.deepEqual([status, Object.keys(body.error.details)], [400, ["url"]]);
  }
});
