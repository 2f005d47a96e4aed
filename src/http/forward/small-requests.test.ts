import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { openSmallRequests, type SmallRequest } from "./small-requests.ts";

const request = (path: string): SmallRequest => ({
  ...{ head: `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`, body: Buffer.alloc(0), isBodiless: false },
});

/** What its client gets; one that reads nothing is never done with it. */
const answerFor = () => new ServerResponse(new IncomingMessage(new Socket()));

test("WRK-13 a client that leaves ends its own request alone, also when its answer has come and its line carries another", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-lines-"));
  const path = join(folder, "writer.sock");
  let answer = () => {};
  const arrived: string[] = [];
  const writer = createServer((asked, response) => {
    arrived.push(asked.url ?? "");
    if (asked.url === "/first") response.end("first");
    else answer = () => void response.end("second");
  }).listen(path);
  let connections = 0;
  writer.on("connection", () => {
    connections += 1;
  });
  await once(writer, "listening");
  const small = openSmallRequests(path);
  const failed = () => assert.fail("no answer");
  const first = answerFor();
  const leave = small.send(request("/first"), { response: first, writeHead: () => {}, failed });
  await until(() => first.writableEnded);
  const second = answerFor();
  small.send(request("/second"), { response: second, writeHead: () => {}, failed });
  await until(() => arrived.length === 2);
  assert.equal(connections, 1);
  leave();
  answer();
  await until(() => second.writableEnded);
  small.close();
  writer.close();
  rmSync(folder, { recursive: true });
});
