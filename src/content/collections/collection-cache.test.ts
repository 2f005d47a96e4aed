import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestContext } from "#context.fixture.ts";
import { findCollection } from "./collection-cache.ts";

test("DUR-53 where two questions about collections fail together, the caller learns of it and the process lives", async () => {
  const { ctx, close } = await openTestContext();
  const away = new Error("the database is away");
  const later = () => new Promise<never>((_, reject) => setTimeout(reject, 10, away));
  for (const [collections, kinds] of [
    [() => Promise.reject(away), later],
    [later, () => Promise.reject(away)],
  ] as const) {
    const storage = Object.assign(Object.create(ctx.storage), {
      all: (sql: string) => (/FROM extensions/.test(sql) ? kinds() : collections()),
    });
    // A rejection that nobody takes fails the test.
    await assert.rejects(async () => findCollection({ ...ctx, storage }, "news"), away);
    await later().catch(() => {});
  }
  await close();
});
