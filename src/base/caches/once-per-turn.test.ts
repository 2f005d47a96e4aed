import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beginTurn, oncePerTurn } from "./once-per-turn.ts";

/** Numbers its answers from 1. */
function counter(): () => number {
  let count = 0;
  return oncePerTurn(() => {
    count += 1;
    return count;
  });
}

test("WRK-3 what is asked in a turn is asked once, and again in the next", async () => {
  const ask = counter();
  beginTurn();
  assert.deepEqual([ask(), ask()], [1, 1]);
  await Promise.resolve();
  beginTurn();
  assert.equal(ask(), 1);
  await nextTurn();
  assert.equal(ask(), 2);
  await Promise.resolve();
  assert.equal(ask(), 3);
});

test("WRK-3 a request does not use what was asked before it arrived, however soon it comes", async () => {
  const ask = counter();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as { port: number }).port, "127.0.0.1");
  const [socket] = await once(server, "connection");
  const arrived = new Promise<number>((resolve) => {
    socket.once("data", () => {
      beginTurn();
      resolve(ask());
    });
  });
  // Between two looks at the network: what is sent now is read before anything else.
  await nextTurn();
  assert.equal(ask(), 1);
  client.write("a request");
  assert.equal(await arrived, 2);
  client.destroy();
  server.close();
});
