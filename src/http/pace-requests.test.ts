import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { paceRequests } from "./pace-requests.ts";

/** All of them arrive in one piece; resolves to the addresses that began in each turn of the event loop. */
async function turnsOf(urls: readonly string[]): Promise<string[][]> {
  const turns = new Map<number, string[]>();
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const pace = paceRequests("/api/ext/");
  const answer = ({ url = "" }: { url?: string | undefined }, response: ServerResponse) => {
    turns.set(turn, [...(turns.get(turn) ?? []), url]);
    response.end();
  };
  const server = createServer((request, response) => {
    if (!pace(request, response, answer)) answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(urls.map((url) => `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  await until(async () => [...turns.values()].flat().length === urls.length);
  isOver = true;
  socket.destroy();
  server.close();
  return [...turns.values()];
}

test("EXT-65 of requests for extensions that arrive together four begin in a turn, and others at once", async () => {
  const calls = Array.from({ length: 10 }, (_, n) => `/api/ext/acme/map/${n}`);
  const turns = await turnsOf([...calls, "/api/collections", "/api/extensions"]);
  assert.deepEqual(turns[0], [...calls.slice(0, 4), "/api/collections", "/api/extensions"]);
  assert.deepEqual(
    turns.flat().filter((url) => url.startsWith("/api/ext/")),
    calls,
  );
  for (const turn of turns.slice(1)) assert.ok(turn.length <= 4, `${turn.length} began in one turn`);
});

test("EXT-65 requests that arrive one after the other do not wait", async () => {
  for (let n = 0; n < 3; n += 1) assert.deepEqual(await turnsOf(["/api/ext/acme/map/a"]), [["/api/ext/acme/map/a"]]);
});

test("EXT-65 a connection whose requests wait is read on when there is room", async () => {
  const many = 20_000;
  let [taken, begun, mostWaiting] = [0, 0, 0];
  const pace = paceRequests("/api/ext/");
  const answer = (_request: unknown, response: ServerResponse) => {
    begun += 1;
    response.end();
  };
  const server = createServer((request, response) => {
    taken += 1;
    if (!pace(request, response, answer)) answer(request, response);
    mostWaiting = Math.max(mostWaiting, taken - begun);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").resume();
  socket.write("GET /api/ext/a HTTP/1.1\r\nHost: x\r\n\r\n".repeat(many));
  await until(() => begun === many);
  socket.destroy();
  server.close();
  assert.ok(mostWaiting < 5_000, `${mostWaiting} waited`);
});
