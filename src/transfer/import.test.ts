// An import in this process, on a real store: what its listeners hear.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCollection } from "#content/collections/collections.ts";
import { openTestContext } from "#context.fixture.ts";
import type { Context } from "#context.ts";
import type { JsonObject } from "#contract/json.ts";
import type { CairnEvent } from "#jobs/reactions.ts";
import { importObjects } from "./import.ts";

async function withContext(work: (ctx: Context) => Promise<void>): Promise<void> {
  const { ctx, close } = await openTestContext();
  try {
    await work(ctx);
  } finally {
    await close();
  }
}

async function* rows(...objects: JsonObject[]): AsyncIterable<JsonObject> {
  yield* objects;
}

test("IMP-17 listeners get events of each imported object and of the end, and of no single write", async () => {
  await withContext(async (ctx) => {
    await createCollection(ctx, { id: "posts", schema: "blog" });
    const heard: CairnEvent[] = [];
    ctx.reactions.add((_tx, event) => {
      heard.push(event);
      return undefined;
    });
    await importObjects(ctx, "posts", rows({ id: "a", title: "A" }, { id: "b", title: "B" }, { id: "a", title: "A" }));
    await importObjects(ctx, "posts", rows({ id: "b", title: "New" }), { update: true });
    await importObjects(ctx, "posts", rows({ id: "b", title: "Again" }));
    assert.deepEqual(
      heard.map((event) => ("id" in event ? `${event.type} ${event.id}` : event.type)),
      [
        ...["import.created a", "import.created b", "import.stored", "import.completed"],
        ...["import.updated b", "import.stored", "import.completed"],
      ],
    );
  });
});

test("IMP-7 an import spans many transactions, and reports its progress", async () => {
  await withContext(async (ctx) => {
    await createCollection(ctx, { id: "posts", schema: "blog" });
    const seen: number[] = [];
    const many = Array.from({ length: 2_500 }, (_, n) => ({ id: `post-${n}`, title: `Post ${n}` }));
    const { created } = await importObjects(ctx, "posts", rows(...many), { onProgress: (count) => seen.push(count) });
    assert.equal(created, 2_500);
    assert.ok(seen.length >= 3, `${seen.length} transactions`);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.equal(seen.at(-1), 2_500);
  });
});
