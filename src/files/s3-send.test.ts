import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sendRange } from "./s3-send.ts";

const size = 3_000_000;
const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7) % 251));

/** What sending to a server that does so comes to. */
async function trial(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  { end = size - 1, patienceMs = 60_000 } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-send-"));
  writeFileSync(join(folder, "file"), bytes);
  const file = await open(join(folder, "file"));
  const server = createServer(serve);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/place`;
    return await sendRange(url, file, { range: { start: 10, end }, patienceMs });
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await file.close();
    rmSync(folder, { recursive: true });
  }
}

test("FILE-5 the bytes that were asked for are sent, byte for byte", async () => {
  const received: Buffer[] = [];
  const answer = await trial((request, response) => {
    request.on("data", (chunk: Buffer) => received.push(chunk));
    request.on("end", () => response.writeHead(200, { etag: '"abc"' }).end("<Answer/>"));
  });
  assert.deepEqual(answer, { status: 200, etag: '"abc"' });
  assert.ok(Buffer.concat(received).equals(bytes.subarray(10)));
});

test("FILE-15 a refusal is reported; a dropped connection, silence and a shortened file are failures", async () => {
  const early = await trial((_request, response) => response.writeHead(403).end());
  assert.equal(early.status, 403);
  await assert.rejects(trial((request) => request.socket.destroy()));
  await assert.rejects(
    trial((request) => request.resume(), { patienceMs: 300 }),
    /no answer in time/,
  );
  await assert.rejects(
    trial((request) => request.resume(), { end: size + 5 }),
    /shorter than it was/,
  );
});
