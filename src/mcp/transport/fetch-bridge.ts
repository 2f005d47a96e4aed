// Between node:http and the web's Request and Response, which the protocol's library speaks.
// Bodies are parsed before; a stream is sent as it comes, no faster than it is read, and cancelled when the client leaves.

import type { IncomingHttpHeaders, ServerResponse } from "node:http";

export interface Asking {
  method: string;
  headers: IncomingHttpHeaders;
  signal: AbortSignal;
}

/** The connection is the server's, and nothing here is for caches. */
const ownHeaders = new Set(["connection", "cache-control"]);

/** Without the body, which is handed over parsed. */
export function toRequest({ method, headers, signal }: Asking): Request {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") kept.set(name, value);
  return new Request("http://localhost/mcp", { method, headers: kept, signal });
}

export function isStream(response: Response): boolean {
  return response.headers.get("content-type") === "text/event-stream";
}

/** `ending`: ends a stream and cancels its source. */
export async function sendResponse(res: ServerResponse, response: Response, ending?: AbortSignal): Promise<void> {
  for (const [name, value] of response.headers) if (!ownHeaders.has(name)) res.setHeader(name, value);
  if (!isStream(response)) {
    const text = await response.text();
    if (text !== "") res.setHeader("content-length", Buffer.byteLength(text));
    res.writeHead(response.status).end(text);
    return;
  }
  res.setHeader("cache-control", "no-store, no-transform");
  res.writeHead(response.status);
  res.flushHeaders();
  await pump(res, response.body as ReadableStream<Uint8Array>, ending);
}

async function pump(res: ServerResponse, body: ReadableStream<Uint8Array>, ending?: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const leave = () => {
    void reader.cancel().catch(() => {});
    // A client that does not read would keep it open.
    if (res.writableNeedDrain) res.destroy();
  };
  res.once("close", leave);
  ending?.addEventListener("abort", leave);
  if (res.destroyed || ending?.aborted) leave();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!res.write(next.value)) await drained(res);
    }
  } finally {
    res.off("close", leave);
    ending?.removeEventListener("abort", leave);
    res.end();
  }
}

function drained(res: ServerResponse): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      res.off("drain", done).off("close", done);
      resolve();
    };
    res.once("drain", done).once("close", done);
  });
}
