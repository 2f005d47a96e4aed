// A real HTTP server on a free port of this machine that keeps what it is sent. It carries; it never asserts.

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "#base/patience.fixture.ts";

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of many shapes
  body: any;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How it answers; 200 with an empty body unless said otherwise. */
  answer: (received: Received, response: ServerResponse) => void;
  /** When so many came that the test lets through. */
  until(count: number, isWanted?: (received: Received) => boolean): Promise<Received[]>;
  /** What came, when nothing more does for a while. */
  settled(): Promise<Received[]>;
  close(): Promise<void>;
}

const quietMs = 700;

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString("utf8");
    const isJson = request.headers["content-type"] === "application/json";
    const entry: Received = {
      ...{ method: request.method ?? "", path: request.url ?? "", headers: request.headers, raw },
      body: isJson ? JSON.parse(raw) : undefined,
    };
    received.push(entry);
    receiver.answer(entry, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (_received, response) => response.end(),
    until: (count, isWanted = () => true) =>
      until(
        () => received.filter(isWanted),
        (found) => found.length >= count,
      ),
    async settled() {
      for (let count = -1; count !== received.length; await sleep(quietMs)) count = received.length;
      return received;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
