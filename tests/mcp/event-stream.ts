// A stream of server-sent events as a client reads it. It collects and waits; it never asserts.

import type { ClientRequest, IncomingMessage } from "node:http";
import { patience } from "#base/patience.fixture.ts";
import { http } from "../harness.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of many shapes
export type Message = any;

export interface EventStream {
  status: number;
  messages: Message[];
  /** The ids of the events, in order. */
  ids: string[];
  isOpen(): boolean;
  /** The next message that fits, also one that has come already; undefined when none comes in time. */
  find(fits: (message: Message) => boolean, ms?: number): Promise<Message | undefined>;
  closed(ms?: number): Promise<boolean>;
  close(): void;
}

export interface Opening {
  method?: string;
  headers: Record<string, string>;
  body?: object;
}

/** Resolves when the headers have come. */
export function openStream(url: string, { method = "GET", headers, body }: Opening): Promise<EventStream> {
  const accept = "application/json, text/event-stream";
  const type = body && { "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const outgoing = http.request(`${url}/mcp`, { method, headers: { accept, ...type, ...headers } }, (incoming) => {
      resolve(follow(outgoing, incoming));
    });
    outgoing.on("error", reject);
    outgoing.end(body && JSON.stringify(body));
  });
}

function follow(outgoing: ClientRequest, incoming: IncomingMessage): EventStream {
  const messages: Message[] = [];
  const ids: string[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let isOpen = true;
  const wake = () => {
    for (const look of waiting) look();
  };
  incoming.setEncoding("utf8");
  incoming.on("data", (chunk: string) => {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const id = /^id: (.+)$/m.exec(event)?.[1];
      if (id) ids.push(id);
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data) messages.push(JSON.parse(data));
    }
    wake();
  });
  const end = () => {
    isOpen = false;
    wake();
  };
  incoming.on("end", end).on("error", end).on("close", end);
  outgoing.on("error", end);

  function until<T>(look: () => T | undefined, ms: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const check = () => {
        const found = look();
        if (found !== undefined) finish(found);
      };
      const finish = (found: T | undefined) => {
        clearTimeout(timer);
        waiting.delete(check);
        resolve(found);
      };
      const timer = setTimeout(() => finish(undefined), ms);
      waiting.add(check);
      check();
    });
  }

  return {
    status: incoming.statusCode as number,
    messages,
    ids,
    isOpen: () => isOpen,
    find: (fits, ms = patience) => until(() => messages.find(fits), ms),
    closed: async (ms = patience) => (await until(() => (isOpen ? undefined : true), ms)) === true,
    close: () => outgoing.destroy(),
  };
}

/** What each request of revision 2026-07-28 carries. */
export function alone(method: string, params: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const name = params.name ?? params.uri;
  return {
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    } as Record<string, string>,
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
          ...more,
        },
      },
    },
  };
}

export function opening(protocolVersion: string, capabilities: object = {}) {
  const params = { protocolVersion, capabilities, clientInfo: { name: "tests", version: "1" } };
  return { jsonrpc: "2.0", id: 1, method: "initialize", params };
}
