import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import { ExtensionRefusal } from "./facade.ts";
import { createLogLines } from "./log-lines.ts";
import { cellBytes, cells, type FromHost, hostLimits, type LoggedLine } from "./messages.ts";
import { createQuestions } from "./questions.ts";
import { createPortReader } from "./read-port.ts";

const line = (text: string, data: LoggedLine["data"] = null) => ({ level: "info", text, data });

test("EXT-44 messages of the thread are read in small turns, in order, and none is overlooked", async () => {
  const { port1, port2 } = new MessageChannel();
  const cell = new Int32Array(new SharedArrayBuffer(cellBytes));
  const heard: number[] = [];
  const reader = createPortReader(port1, cell, (message) => heard.push((message as { id: number }).id));
  const post = (id: number) => port2.postMessage({ type: "result", id, value: null } satisfies FromHost);
  for (let id = 0; id < 100; id += 1) post(id);
  Atomics.store(cell, cells.awake, 1);
  reader.read();
  let most = heard.length;
  for (let before = -1; heard.length > before; ) {
    before = heard.length;
    await turn();
    most = Math.max(most, heard.length - before);
  }
  assert.deepEqual(
    heard,
    Array.from({ length: 100 }, (_, id) => id),
  );
  assert.ok(most <= 2, `${most} answers were read in one turn`);
  assert.equal(Atomics.load(cell, cells.awake), 0);
  post(100);
  reader.read();
  assert.equal(heard.at(-1), 100);
  for (let id = 200; id < 250; id += 1) post(id);
  reader.readLast();
  assert.equal(heard.at(-1), 249);
  port1.close();
});

test("EXT-44 eight messages of a thread that are no answers are read in a turn", async () => {
  const { port1, port2 } = new MessageChannel();
  const heard: FromHost[] = [];
  const reader = createPortReader(port1, new Int32Array(new SharedArrayBuffer(cellBytes)), (one) => heard.push(one));
  for (let id = 0; id < 20; id += 1) port2.postMessage({ type: "log", number: 1, lines: [] } satisfies FromHost);
  reader.read();
  assert.equal(heard.length, 8);
  await turn();
  assert.equal(heard.length, 16);
  port1.close();
});

test("EXT-45 of a flood of lines the first and the last arrive, in few messages that say how many are missing", () => {
  const sent: LoggedLine[][] = [];
  const due: (() => void)[] = [];
  const lines = createLogLines(
    (_number, some) => sent.push(some),
    (run) => due.push(run),
  );
  let now = 0;
  const clock = performance.now;
  performance.now = () => now;
  try {
    for (let n = 1; n <= 10_000; n += 1) lines.note(1, line(`line ${n}`));
    assert.deepEqual(
      sent.map((some) => some.length),
      Array.from({ length: 20 }, () => 1),
    );
    for (const run of due.splice(0)) run();
    const [note, ...last] = sent.at(-1) ?? [];
    assert.deepEqual([sent.length, last.length, last.at(-1)?.text], [21, 200, "line 10000"]);
    assert.deepEqual(note, { level: "warn", text: "9780 lines were left out: too many at a time.", data: null });
    // Code that never gives way lets no timer run: the next line brings what waits.
    for (let n = 0; n < 30; n += 1) lines.note(1, line("again"));
    now = 100;
    lines.note(1, line("later"));
    assert.deepEqual(
      sent.slice(41).map((some) => some.length),
      [10, 1],
    );
    lines.note(2, line("of another", { text: "x".repeat(5_000) }));
    const cut = sent.at(-1)?.[0]?.data as { cut: string };
    assert.equal(cut.cut.length, 4_000);
  } finally {
    performance.now = clock;
  }
});

test("EXT-46 one extension asks for 64 functions at a time; others wait in order, and too many are refused", async () => {
  const entered: number[] = [];
  const questions = createQuestions((number) => entered.push(number));
  const sent: [id: number, args: string][] = [];
  const ask = (number: number, args: unknown[] = []) =>
    questions.ask(number, args as never, (id, text) => sent.push([id, text]));
  const all = Array.from({ length: hostLimits.asks + 2 }, (_, n) => ask(1, [n]));
  assert.equal(sent.length, hostLimits.asks);
  const other = ask(2, ["of another"]);
  assert.equal(sent.length, hostLimits.asks + 1);
  questions.answer(1, { value: "first" });
  questions.answer(2, { refusal: { status: 404, message: "no" } });
  assert.equal(await all[0], "first");
  await assert.rejects(
    all[1] as Promise<unknown>,
    (error) => error instanceof ExtensionRefusal && error.status === 404,
  );
  assert.deepEqual(
    sent.slice(-2).map(([, text]) => text),
    [`[${hostLimits.asks}]`, `[${hostLimits.asks + 1}]`],
  );
  questions.answer(hostLimits.asks + 1, { value: 1 });
  assert.equal(await other, 1);
  assert.deepEqual(entered, [1, 1, 2]);

  for (let n = 0; n < hostLimits.waitingAsks; n += 1) void ask(1);
  const statusOf = (asked: Promise<unknown>) => asked.catch(({ status }: ExtensionRefusal) => status);
  assert.equal(await statusOf(ask(1)), 429);
  assert.equal(await statusOf(ask(2, ["x".repeat(hostLimits.text)])), 413);
  assert.equal(await statusOf(ask(2, [1n])), 400);
});
