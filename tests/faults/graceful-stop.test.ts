// SIGTERM while clients write.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { amongOthers, until } from "#base/patience.fixture.ts";
import { repeats, type Server, startServer } from "../harness.ts";
import { compare, openJournal, schema, writeUntilStopped } from "./writers.ts";

let server: Server;

before(async () => {
  server = await startServer();
  await server.makeSchema(schema);
  await server.makeCollection({ id: "north", schema: schema.id });
});
after(() => server.stop());

const rounds = repeats(2, 5);
test(`DUR-12 SIGTERM under load ends with code 0 and loses nothing that was answered, ${rounds} times (F25)`, async () => {
  const journal = openJournal();
  for (let round = 1; round <= rounds; round += 1) {
    journal.isStopped = false;
    const writers = Array.from({ length: 8 }, () => writeUntilStopped(server, journal, ["north"]));
    const before = journal.acked;
    await sleep(200 + Math.random() * 300);
    await until(() => journal.acked > before + 10);
    const started = performance.now();
    const code = await server.terminate();
    const took = performance.now() - started;
    journal.isStopped = true;
    await Promise.all(writers);
    assert.equal(code, 0, `round ${round}: ${server.stderr}`);
    assert.ok(took < amongOthers(10_000), `round ${round} took ${took} ms`);
    await server.restart();
    assert.deepEqual(await compare(server, journal, ["north"]), [], `round ${round}`);
  }
  assert.ok(journal.acked > 10 * rounds, `only ${journal.acked} writes were answered`);
});

test("START-10 DUR-12 a request that is under way when SIGTERM comes is answered (F25)", async () => {
  const body = JSON.stringify({ id: "under-way", title: "under way" });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise((done) => socket.once("close", done));
  const head = `POST /api/collections/north HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${server.key}\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
  // Told by the server when it has read the head.
  await until(() => received.includes("\r\n\r\n"));
  const ended = server.terminate();
  await sleep(200);
  socket.write(body.slice(10));
  await closed;
  assert.match(received, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
  assert.equal(await ended, 0);
  await server.restart();
  assert.equal((await server.request("GET", "/api/collections/north/under-way")).status, 200);
});

test("START-22 while the server stops, a request on an open connection is served, and new connections are refused", async () => {
  const body = JSON.stringify({ id: "kept-alive", title: "kept alive" });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise((done) => socket.once("close", done));
  const key = `Host: localhost\r\nX-API-Key: ${server.key}\r\n`;
  const head = `POST /api/collections/north HTTP/1.1\r\n${key}Content-Type: application/json\r\n`;
  socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
  await until(() => received.includes("\r\n\r\n"));
  const ended = server.terminate();
  const isRefused = () =>
    new Promise<boolean>((done) => {
      const other = connect(Number(port), hostname, () => other.destroy());
      other.once("error", () => done(true));
      other.once("close", (hadError) => !hadError && done(false));
    });
  await until(isRefused);
  socket.write(`${body.slice(10)}GET /api/collections/north/under-way HTTP/1.1\r\n${key}\r\n`);
  await closed;
  const [, , second = ""] = received.split(/(?=HTTP\/1.1 )/);
  assert.match(second, /^HTTP\/1.1 200 /, received);
  assert.match(second, /\r\nconnection: close\r\n/i);
  assert.match(second, /"title":"under way"/);
  assert.equal(await ended, 0);
  await server.restart();
});

test("DUR-12 a client that never finishes its request does not keep the server (F25)", async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const head = `POST /api/collections/north HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${server.key}\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Content-Length: 1000\r\n\r\n{`);
  await sleep(200);
  const started = performance.now();
  assert.equal(await server.terminate(), 0);
  assert.ok(performance.now() - started < amongOthers(10_000));
  await server.restart();
});

test("DUR-16 a client that goes away in the middle of a body leaves nothing behind (F24)", async () => {
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify({ id: "cut-off", title: "x".repeat(10_000) });
  const socket = connect(Number(port), hostname);
  const head = `POST /api/collections/north HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${server.key}\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5_000)}`);
  await sleep(100);
  socket.destroy();
  await sleep(200);
  assert.equal((await server.request("GET", "/api/collections/north/cut-off")).status, 404);
  assert.equal((await server.request("POST", "/api/collections/north", { body: JSON.parse(body) })).status, 201);
});
