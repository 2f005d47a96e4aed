// The mix of the soak: which requests are sent, in which shares, on the starter `walks` and one collection with its full history.
// Ids and widths are never used twice by two requests that would answer each other from memory. No measuring here.

import { collection, makeArticle, randomFrom, topicOf } from "./data.ts";

export interface SoakRequest {
  name: string;
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
  /** Statuses that are right. */
  expects: readonly number[];
  /** Who asks: a visitor of the website sends no key. */
  isVisitor?: true;
}

type Make = () => Omit<SoakRequest, "name" | "expects"> & { expects?: readonly number[] };

interface Part {
  name: string;
  /** In thousandths of all requests. */
  share: number;
  make: Make;
}

export const filled = 2_000;

const revision = "2026-07-28";
const mcpHeaders = {
  accept: "application/json, text/event-stream",
  ...{ "mcp-protocol-version": revision, "mcp-method": "tools/call", "mcp-name": "list_collections" },
};
const mcpMeta = {
  "io.modelcontextprotocol/protocolVersion": revision,
  "io.modelcontextprotocol/clientInfo": { name: "soak", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const base = `/api/collections/${collection}`;

/** `found`: the addresses of the starter, read from the server. */
export interface Found {
  pages: readonly string[];
  images: readonly string[];
}

export function createMix({ pages, images }: Found, seed = 11): () => SoakRequest {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const one = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const added: string[] = [];
  let made = 0;
  let drawn = 0;
  const get = (path: string) => ({ method: "GET", path });

  const parts: readonly Part[] = [
    { name: "get", share: 170, make: () => get(`${base}/${makeArticle(below(filled)).id}`) },
    { name: "page", share: 170, make: () => ({ ...get(one(pages)), isVisitor: true }) },
    { name: "list", share: 100, make: () => get(`${base}?limit=50&sort=published&order=desc&offset=${below(1_000)}`) },
    {
      name: "filter",
      share: 100,
      make: () =>
        get(`${base}?filter%5Bstatus%5D=${one(["live", "draft", "held"])}&sort=price&limit=50&offset=${below(150)}`),
    },
    { name: "search", share: 70, make: () => get(`${base}?search=${topicOf(below(100))}&limit=20`) },
    { name: "home", share: 70, make: () => ({ ...get("/"), isVisitor: true }) },
    { name: "create", share: 50, make: create },
    { name: "patch", share: 50, make: patch },
    { name: "image", share: 40, make: () => ({ ...get(newImage()), isVisitor: true }) },
    { name: "MCP", share: 40, make: callTool },
    {
      name: "not found",
      share: 40,
      make: () => ({ ...get(`/nowhere/${below(1_000_000)}`), isVisitor: true, expects: [404] }),
    },
    { name: "delete", share: 40, make: remove },
    { name: "sitemap", share: 20, make: () => ({ ...get("/sitemap.xml"), isVisitor: true }) },
    {
      name: "broken JSON",
      share: 20,
      make: () => ({ method: "POST", path: base, body: '{"id": "broken', expects: [400] }),
    },
    { name: "OpenAPI", share: 1, make: () => get("/api/openapi.json") },
  ];

  function create(): ReturnType<Make> {
    made += 1;
    const id = `soak-${made}`;
    added.push(id);
    return {
      method: "POST",
      path: base,
      body: JSON.stringify({ ...makeArticle(made + 1_000_000), id }),
      expects: [201],
    };
  }

  function patch(): ReturnType<Make> {
    const { title, price } = makeArticle(below(1_000_000));
    return {
      method: "PATCH",
      path: `${base}/${makeArticle(below(filled)).id}`,
      body: JSON.stringify({ title, price }),
    };
  }

  /** Long after it was created, so that its creation has been answered. */
  function remove(): ReturnType<Make> {
    const id = added.length > 50 ? added.shift() : undefined;
    return { method: "DELETE", path: `${base}/${id ?? "never-was"}`, expects: [200, 204, 404] };
  }

  /** A width of its own each time, so that it has to be made. */
  function newImage(): string {
    drawn += 1;
    return `${images[drawn % images.length]}?w=${16 + (Math.floor(drawn / images.length) % 1_500)}`;
  }

  function callTool(): ReturnType<Make> {
    const call = { jsonrpc: "2.0", id: below(1_000_000), method: "tools/call" };
    const params = { name: "list_collections", arguments: {}, _meta: mcpMeta };
    return { method: "POST", path: "/mcp", body: JSON.stringify({ ...call, params }), headers: mcpHeaders };
  }

  const whole = parts.reduce((sum, { share }) => sum + share, 0);
  return () => {
    const at = below(whole);
    let sum = 0;
    const part = parts.find(({ share }) => {
      sum += share;
      return at < sum;
    }) as Part;
    return { expects: [200], ...part.make(), name: part.name };
  };
}
