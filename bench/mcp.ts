// What the protocol costs: tools/call of get_object, in both generations, beside the REST read of the same object.

import { collection, makeArticle } from "./data.ts";
import { closeSite, measure, openSite, type Site } from "./site.ts";
import type { Row } from "./table.ts";
import { type Read, readRequests, reads } from "./workloads.ts";

const rounds = 3;
const least = 0.5;
const accept = "application/json, text/event-stream";
const newRevision = "2026-07-28";

export async function benchMcp(seconds: number, add: (row: Row) => void): Promise<void> {
  const site = await openSite(1_000);
  const key = { "x-api-key": site.key };
  const id = await begin(site);
  const inSession = { ...key, accept, "mcp-session-id": id };
  const alone = {
    ...key,
    accept,
    ...{ "mcp-protocol-version": newRevision, "mcp-method": "tools/call", "mcp-name": "get_object" },
  };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": newRevision,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  for (const [revision, headers, more] of [
    ["2025-11-25", inSession, {}],
    [newRevision, alone, { _meta: meta }],
  ] as const) {
    const calls = Array.from({ length: 1_000 }, (_, n) => call(n, more));
    const gets = readRequests(reads[0] as Read, "varied", site.objects);
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      floor.push((await measure(site, { requests: gets, seconds, target: "cairn" })).cpu);
      ours.push((await measure(site, { requests: calls, seconds, target: "cairn", headers })).cpu);
    }
    const [cost, rest] = [Math.min(...ours), Math.min(...floor)];
    add({
      workload: `tools/call get_object (${revision}), against the REST GET`,
      cairn: `${cost.toFixed(1)} µs`,
      floor: `${rest.toFixed(1)} µs`,
      ratio: (rest / cost).toFixed(2),
      bar: least.toFixed(2),
      isMet: rest / cost >= least,
    });
  }
  await closeSite(site);
}

function call(n: number, more: object) {
  const params = { name: "get_object", arguments: { collection, id: makeArticle(n).id }, ...more };
  return {
    method: "POST",
    path: "/mcp",
    body: JSON.stringify({ jsonrpc: "2.0", id: n, method: "tools/call", params }),
  };
}

async function begin({ cairn, key }: Site): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const answer = await fetch(`${cairn.url}/mcp`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", accept },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
  });
  await answer.text();
  return answer.headers.get("mcp-session-id") ?? "";
}
