import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { becomes, until } from "#base/patience.fixture.ts";
import { networkReader } from "./client-network.ts";
import { createLedger, type Ledger, type Times, unsentBounds } from "./ledger.ts";
import { watchedAnswers } from "./watched-answers.ts";

const mega = 1_000_000;
const log = { warn() {} } as unknown as Logger;
const never: Times = { sweepMs: 10, unreadMs: 1e9, slowMs: 1e9, leastRate: 0 };
/** What the kernel takes of an answer by itself, on any machine, and much more. */
const large = Buffer.alloc(40 * mega);

interface Door {
  ledger: Ledger;
  /** Sends so many requests at once and reads nothing. */
  ask(requests: number, headers?: string): Promise<Socket>;
  refuses(headers: Record<string, string>, remoteAddress?: string): boolean;
  close(): void;
}

interface DoorOptions {
  times?: Times;
  bounds?: { open: number; known: number; all: number };
  trusted?: string[];
  answer?(response: ServerResponse): unknown;
}

const wide = { open: 1e9, known: 1e9, all: 1e9 };

async function openDoor({ times = never, bounds = wide, trusted = [], answer }: DoorOptions): Promise<Door> {
  const ledger = createLedger({ bounds, networkOf: networkReader(trusted), log, times });
  const send = answer ?? ((response: ServerResponse) => response.end(large));
  const server = createServer({ ServerResponse: watchedAnswers(ledger, true) }, (_request, response) => send(response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const sockets: Socket[] = [];
  return {
    ledger,
    async ask(requests, headers = "") {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => {});
      socket.pause();
      await once(socket, "connect");
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`.repeat(requests));
      return socket;
    },
    refuses: (headers, remoteAddress = "127.0.0.1") =>
      ledger.refuses({ headers, socket: { remoteAddress } } as unknown as IncomingMessage),
    close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

test("BOUND-30 a network that has not taken its share is refused, with a credential later than without", async () => {
  const door = await openDoor({ bounds: { open: 30 * mega, known: 60 * mega, all: 1e9 } });
  try {
    assert.equal(door.refuses({}), false);
    const first = await door.ask(1);
    await until(() => door.ledger.bytes > 30 * mega);
    const key = { "x-api-key": "cairn_x" };
    assert.deepEqual([door.refuses({}), door.refuses({}, "127.0.0.2"), door.refuses(key)], [true, false, false]);
    await door.ask(1, "X-API-Key: cairn_x\r\n");
    await until(() => door.ledger.bytes > 60 * mega);
    assert.equal(door.refuses(key), true);
    // It is counted again when it matters.
    first.destroy();
    await until(() => !door.refuses(key));
  } finally {
    door.close();
  }
});

test("BOUND-31 beyond the bound of all every network is refused; it follows from the memory and the number of processes", async () => {
  const door = await openDoor({ bounds: { open: 1e9, known: 1e9, all: 39 * mega } });
  try {
    await door.ask(1);
    await until(() => door.refuses({}, "192.0.2.1"));
  } finally {
    door.close();
  }
  const mebibyte = 1024 * 1024;
  assert.deepEqual(unsentBounds(64_000 * mebibyte, 1), {
    known: 64 * mebibyte,
    open: 32 * mebibyte,
    all: 1_024 * mebibyte,
  });
  assert.deepEqual(unsentBounds(4_096 * mebibyte, 4), {
    known: 16 * mebibyte,
    open: 8 * mebibyte,
    all: 128 * mebibyte,
  });
  assert.equal(unsentBounds(128 * mebibyte, 1).open, 16 * mebibyte);
});

test("BOUND-32 an answer of which nothing is taken ends, and so does one that is read too slowly", async () => {
  for (const times of [
    { ...never, unreadMs: 50 },
    { ...never, slowMs: 50, leastRate: 1e9 },
  ]) {
    const door = await openDoor({ times });
    try {
      await door.ask(1);
      await until(() => door.ledger.bytes > 0);
      await becomes(() => door.ledger.bytes, 0);
    } finally {
      door.close();
    }
  }
});

test("BOUND-32 BOUND-33 a stream that waits for its reader has more time, and one that is read goes on", async () => {
  const piece = Buffer.alloc(64 * 1024);
  const pieces = 400;
  const door = await openDoor({
    times: { ...never, unreadMs: 100 },
    answer: (response) => Readable.from(Array(pieces).fill(piece), { objectMode: false }).pipe(response),
  });
  try {
    const unread = await door.ask(1);
    await until(() => door.ledger.bytes > 0);
    await sleep(200);
    assert.ok(door.ledger.bytes > 0);
    await becomes(() => door.ledger.bytes, 0);
    unread.destroy();

    const read = await door.ask(1, "Connection: close\r\n");
    let length = 0;
    // Much longer than an unread one would live.
    const turns = setInterval(() => {
      length += (read.read() as Buffer | null)?.length ?? 0;
    }, 5);
    await until(() => length > pieces * piece.length || read.destroyed);
    clearInterval(turns);
    assert.ok(length > pieces * piece.length);
  } finally {
    door.close();
  }
});

test("BOUND-33 a slow reader is seen to read, although the kernel takes nothing for a long time", async () => {
  const door = await openDoor({ times: { ...never, unreadMs: 150 } });
  try {
    const reader = await door.ask(1);
    let length = 0;
    const turns = setInterval(() => {
      length += (reader.read() as Buffer | null)?.length ?? 0;
    }, 20);
    // Much less than the kernel holds, in much more time than an unread answer has.
    await until(() => length > 5 * mega || reader.destroyed);
    clearInterval(turns);
    assert.ok(length > 5 * mega);
    assert.ok(door.ledger.bytes > 0);
    await becomes(() => door.ledger.bytes, 0);
  } finally {
    door.close();
  }
});

test("BOUND-34 answers that wait behind another one count, for the network that a trusted proxy names", async () => {
  const door = await openDoor({ bounds: { ...wide, open: 100 * mega }, trusted: ["loopback"] });
  try {
    await door.ask(4, "X-Forwarded-For: 198.51.100.9, 2001:db8::7\r\n");
    await until(() => door.ledger.bytes > 100 * mega);
    const named = (address: string) => door.refuses({ "x-forwarded-for": address });
    assert.deepEqual(["2001:db8::9", "2001:db8:1::9", "198.51.100.9"].map(named), [true, false, false]);
    assert.equal(door.refuses({ "x-forwarded-for": "2001:db8::9" }, "203.0.113.5"), false);
  } finally {
    door.close();
  }
});

test("BOUND-36 an answer far beyond the bound of its network ends at once", async () => {
  const door = await openDoor({ bounds: { ...wide, open: 30 * mega } });
  try {
    for (let at = 0; at < 5; at += 1) await door.ask(1);
    await until(() => door.ledger.bytes > 0);
    await sleep(50);
    assert.ok(door.ledger.bytes <= 60 * mega);
  } finally {
    door.close();
  }
});
