// Handles that stay open for a moment: shared, given back, and closed by themselves.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { until } from "#base/patience.fixture.ts";
import { keepHandles } from "./kept-handles.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-handles-"));
const path = join(folder, "a");
writeFileSync(path, "bytes");
after(() => rmSync(folder, { recursive: true }));

test("DL-20 a file that is read again is open once, and closed when it was not read for a moment", async () => {
  const handles = keepHandles();
  const handle = await open(path);
  const first = handles.add(path, { handle, tag: "1" });
  const second = handles.take(path);
  assert.deepEqual([second?.handle, handles.tagOf(path)], [handle, "1"]);
  await first.release();
  await first.release();
  assert.notEqual(handle.fd, -1);
  await second?.release();
  assert.ok(await until(() => handle.fd === -1));
  assert.deepEqual([handles.tagOf(path), handles.take(path)], [undefined, undefined]);
});

test("DL-20 a file that another one has replaced is closed with its last reader", async () => {
  const handles = keepHandles();
  const [old, young] = [await open(path), await open(path)];
  const reader = handles.add(path, { handle: old, tag: "1" });
  const next = handles.add(path, { handle: young, tag: "2" });
  assert.equal(handles.tagOf(path), "2");
  assert.notEqual(old.fd, -1);
  await reader.release();
  assert.equal(old.fd, -1);
  await next.release();
  await handles.close();
  assert.equal(young.fd, -1);
});
