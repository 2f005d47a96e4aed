import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { patience } from "#base/patience.fixture.ts";
import { createForwarder } from "./forwarder.ts";
import { createWriterGate } from "./writer-gate.ts";

const length = 100_000;

test("HTTP-26 WRK-5 a large body that the process that writes cuts off is cut off; one that has come whole gets an answer", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-forward-"));
  const path = join(folder, "writer.sock");
  // Each as it does with a body that takes too long, and when it dies.
  const writer = createServer((asked) => {
    if (asked.url === "/slow") asked.once("data", () => asked.destroy());
    else asked.resume().once("end", () => asked.socket.destroy());
  }).listen(path);
  await once(writer, "listening");
  const forwarder = createForwarder(path, createWriterGate());
  const reader = createServer((asked, response) => forwarder.pass(asked, response, asked.url ?? "")).listen(0);
  await once(reader, "listening");
  t.after(() => {
    forwarder.close();
    for (const server of [reader, writer]) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(folder, { recursive: true });
  });

  async function answer(url: string, sent: number): Promise<string> {
    const client = connect((reader.address() as AddressInfo).port);
    const answers: Buffer[] = [];
    client.on("data", (bytes) => answers.push(bytes)).on("error", () => {});
    const head = `POST ${url} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;
    client.write(head + "x".repeat(sent));
    await once(client, "close", { signal: AbortSignal.timeout(patience) });
    return Buffer.concat(answers).toString("latin1");
  }

  assert.equal(await answer("/slow", length - 1), "");
  assert.match(await answer("/whole", length), /^HTTP\/1\.1 503 .*may have been carried out/s);
});
