import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { guardLoop, noteOperation } from "./loop-guard.ts";
import { until } from "./patience.fixture.ts";

function work(microseconds: number): void {
  const { user } = process.threadCpuUsage();
  while (process.threadCpuUsage().user - user < microseconds);
}

test("HTTP-92 work that blocks the event loop is logged with the operation begun last", async () => {
  const lines: string[] = [];
  const guard = guardLoop(pino({}, { write: (line: string) => lines.push(line) }));
  noteOperation("GET /slow");
  work(150_000);
  guard.begin();
  assert.equal(guard.longest().work, 0);
  work(150_000);
  await until(() => lines.length > 0);
  guard.close();
  const { ms, operation } = JSON.parse(lines[0] as string);
  assert.ok(ms > 50 && guard.longest().work > 0.05, String(ms));
  assert.equal(operation, "GET /slow");
});
