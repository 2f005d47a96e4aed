// The workloads: which requests each of them sends, and the bars they are held to. No measuring here.

import { collection, distinctStatuses, makeArticle, randomFrom, texts, topicOf } from "./data.ts";
import type { Request } from "./load.ts";

export interface Read {
  name: string;
  about: string;
  /** Least share of the floor. */
  bar: number;
  /** Most that a request may cost at ten times the objects, in processor time. */
  growth: number;
  /** Request n of a varied run; n = 0 is the one of a repeated run. `objects`: how many there are. */
  path(n: number, objects: number): string;
  /** Never answered from a kept page, so a repeated run says nothing new. */
  isVariedOnly?: true;
}

const base = `/api/collections/${collection}`;
const random = randomFrom(7);
const below = (limit: number) => Math.floor(random() * limit);

export const reads: Read[] = [
  {
    name: "get",
    about: "get one object by id, with API key",
    bar: 0.6,
    growth: 1.3,
    isVariedOnly: true,
    path: (_, objects) => `${base}/${makeArticle(below(objects)).id}`,
  },
  {
    name: "list",
    about: "list 50, sorted by published, with total",
    bar: 0.6,
    growth: 1.3,
    path: (n) => `${base}?limit=50&sort=published&order=desc&offset=${n && below(2_000)}`,
  },
  {
    name: "filter",
    about: "filter status, sort price, limit 50, with total",
    bar: 0.5,
    growth: 1.5,
    path: (n) => {
      const status = n ? distinctStatuses[below(distinctStatuses.length)] : "live";
      return `${base}?filter%5Bstatus%5D=${status}&sort=price&order=asc&limit=50&offset=${n && below(500)}`;
    },
  },
  {
    name: "offset",
    about: "the same at offset 5,000",
    bar: 0.5,
    growth: 1.5,
    path: (n) => `${base}?filter%5Bstatus%5D=live&sort=price&order=asc&limit=50&offset=${5_000 + (n && below(800))}`,
  },
  {
    name: "or",
    about: "filter status or a low price, sort price, limit 50, with total",
    bar: 0.5,
    growth: 12,
    path: (n) => {
      const status = n ? distinctStatuses[1 + below(distinctStatuses.length - 1)] : "held";
      const groups = `filter%5Bor%5D%5B0%5D%5Bstatus%5D=${status}&filter%5Bor%5D%5B1%5D%5Bprice%5D%5Blt%5D=${5 + (n && below(20))}`;
      return `${base}?${groups}&sort=price&order=asc&limit=50&offset=${n && below(500)}`;
    },
  },
  {
    name: "fields",
    about: "list 50 with two fields, sorted by published, with total",
    bar: 0.5,
    growth: 1.3,
    path: (n) => `${base}?fields=title,price&limit=50&sort=published&order=desc&offset=${n && below(2_000)}`,
  },
  {
    name: "search",
    about: "search a term in 1 % of the objects, limit 50, ranked",
    bar: 0.5,
    growth: 3,
    path: (n) => `${base}?search=${topicOf(n && below(100))}&limit=50&offset=${n && below(40)}`,
  },
];

export function readRequests(read: Read, kind: "repeated" | "varied", objects: number): Request[] {
  const count = kind === "repeated" ? 1 : 5_000;
  return Array.from({ length: count }, (_, n) => ({
    method: "GET",
    path: read.path(kind === "repeated" ? 0 : n + 1, objects),
  }));
}

export interface Write {
  name: string;
  about: string;
  /** Least multiple of one commit per write. */
  bar: number;
  /** Share of a group commit to aim for. */
  aim: number;
  request(n: number, objects: number): Request;
}

export const writes: Write[] = [
  {
    name: "create",
    about: "create, 32 writers",
    bar: 2,
    aim: 0.8,
    request(n) {
      const body = JSON.stringify({ ...makeArticle(n), id: "new-@N@" });
      return { method: "POST", path: base, body };
    },
  },
  {
    name: "patch",
    about: "patch, 32 writers",
    bar: 1.2,
    aim: 0.7,
    request(n, objects) {
      const { price, title } = makeArticle(n + 1_000_000);
      const body = JSON.stringify({ title, price });
      return { method: "PATCH", path: `${base}/${makeArticle(below(objects)).id}`, body };
    },
  },
  {
    name: "number",
    about: "patch of one number beside 2 kB of indexed text, 32 writers",
    bar: 1.2,
    aim: 0.7,
    request(n, objects) {
      const { price } = makeArticle(n + 1_000_000);
      const path = `/api/collections/${texts}/${makeArticle(below(objects)).id}`;
      return { method: "PATCH", path, body: JSON.stringify({ price }) };
    },
  },
];

export function writeRequests(write: Write, objects: number, commit?: "group"): Request[] {
  return Array.from({ length: 1_000 }, (_, n) => {
    const request = write.request(n, objects);
    return commit ? { ...request, path: `${request.path}?commit=${commit}` } : request;
  });
}
