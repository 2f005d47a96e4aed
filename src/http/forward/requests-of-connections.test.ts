import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { patience, until } from "#base/patience.fixture.ts";
import { inTurns } from "./requests-of-connections.ts";

const request = (headers: string) => `POST /nothing HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n\r\n`;

test("WRK-13 a connection with many requests on their way is read on when some are answered, and bodies arrive", async (t) => {
  const [many, large] = [20_000, 1_000_000];
  let own: Socket | undefined;
  let taken = 0;
  let mostRunning = 0;
  let last = 0;
  const running: (() => void)[] = [];
  let isHeld = true;
  const server = createServer((asked, response) => {
    own = asked.socket;
    taken += 1;
    inTurns(asked.socket, response, () => {
      const answer = () => void asked.on("data", (bytes) => (last += bytes.length)).on("end", () => response.end());
      if (!isHeld) return answer();
      running.push(answer);
      mostRunning = Math.max(mostRunning, running.length);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.write(request("content-length: 0").repeat(many));
  // Its body comes while the requests before it wait.
  client.write(request(`connection: close\r\ncontent-length: ${large}`) + "x".repeat(large));
  await until(() => own?.isPaused() || taken > many);
  assert.ok(taken < 5_000, `${taken} were taken in`);
  assert.equal(mostRunning, 4);
  const answers: Buffer[] = [];
  client.on("data", (bytes) => answers.push(bytes));
  isHeld = false;
  for (const answer of running) answer();
  await once(client, "close", { signal: AbortSignal.timeout(patience) });
  assert.deepEqual([taken, last], [many + 1, large]);
  assert.equal(Buffer.concat(answers).toString("latin1").split("HTTP/1.1 200 ").length, many + 2);
});
