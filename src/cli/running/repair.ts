// repair:index and index:build.

import type { Call } from "#cli/call.ts";
import { withProgress } from "#cli/progress.ts";
import { UsageError } from "#cli/usage.ts";
import * as collections from "#content/collections/collections.ts";
import { buildIndexFor } from "#content/collections/index-builds.ts";
import { rebuildIndex } from "#content/collections/reindex.ts";
import type { Context } from "#context.ts";
import type { CollectionSummary } from "#contract/collections.ts";

export async function repairIndex(call: Call, options: { all?: boolean }, collection?: string): Promise<void> {
  if ((collection === undefined) !== (options.all === true)) throw new UsageError("Give a collection, or --all.");
  const repaired = await withProgress(call.host.stderr, "Indexing", (report) =>
    call.work(async (ctx) => {
      const all = await collections.listCollections(ctx);
      const chosen = collection === undefined ? all.map(({ name }) => name) : [collection];
      return rebuildEach(ctx, chosen, (done) => report(done, done, countIn(all, chosen)));
    }),
  );
  if (call.isJson) return call.out.json(repaired);
  for (const { collection: name, objects } of repaired)
    await call.out.line(`${name}: ${objects === 1 ? "1 object" : `${objects} objects`} indexed.`);
}

async function rebuildEach(ctx: Context, names: readonly string[], onProgress: (objects: number) => void) {
  const repaired: { collection: string; objects: number }[] = [];
  let done = 0;
  for (const name of names) {
    await rebuildIndex(ctx, name);
    const { totalObjects: objects } = await collections.getSettings(ctx, name);
    repaired.push({ collection: name, objects });
    done += objects;
    onProgress(done);
  }
  return repaired;
}

function countIn(all: readonly CollectionSummary[], names: readonly string[]): number {
  return all.reduce((sum, { name, count }) => sum + (names.includes(name) ? count : 0), 0);
}

interface BuildOptions {
  equal?: string;
  sort?: string;
  carry?: string;
  public?: boolean;
}

export async function buildIndex(
  call: Call,
  { equal = "", sort = "", carry = "", public: isPublic = false }: BuildOptions,
  collection: string,
): Promise<void> {
  const listed = (names: string) => names.split(",").filter((name) => name !== "");
  const shape = { equal: listed(equal), sort, carry: listed(carry), isPublic };
  if (shape.equal.length + shape.carry.length === 0 && sort === "" && !isPublic)
    throw new UsageError("Give --equal, --sort, --carry or --public.");
  const built = await call.work((ctx) => buildIndexFor(ctx, collection, shape));
  if (call.isJson) return call.out.json({ collection, built });
  await call.out.line(
    built ? `The index of ${collection} is built.` : `${collection} already has an index for these queries.`,
  );
}
