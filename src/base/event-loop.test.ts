import assert from "node:assert/strict";
import { test } from "node:test";
import { yieldToEventLoop } from "./event-loop.ts";

test("LST-21 pieces of work run in order, with looks at everything else between them", async () => {
  const order: number[] = [];
  let looks = 0;
  const look = (): void => {
    looks += 1;
    if (order.length < 9) setImmediate(look);
  };
  const pieces = Array.from({ length: 9 }, (_, n) => yieldToEventLoop().then(() => order.push(n)));
  setImmediate(look);
  await Promise.all(pieces);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.ok(looks >= 2, `only ${looks} looks`);
});
