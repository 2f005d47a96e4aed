// types: the TypeScript types of all collections, or their JSON Schema, once or after each change.

import { setTimeout as wait } from "node:timers/promises";
import type { Call } from "#cli/call.ts";
import { one, writeOut } from "#cli/sink.ts";
import { UsageError } from "#cli/usage.ts";
import type { Context } from "#context.ts";
import { writeJsonSchema, writeTypes } from "#openapi/write-types.ts";

const lookEveryMs = 1_000;

export async function writeTypeFile(call: Call, options: { out?: string; watch?: boolean }): Promise<void> {
  const { out, watch = false } = options;
  if (watch && (out === undefined || out === "-")) throw new UsageError("--watch needs a file: --out FILE");
  await call.work(async (ctx) => {
    let written: string | undefined;
    do {
      const text = await textFor(ctx, out);
      if (text !== written) {
        await writeOut(call, out, one(text));
        if (out !== undefined && out !== "-") call.remark(`${out} is written.`);
      }
      written = text;
      // Ended by a signal.
      if (watch) await wait(lookEveryMs);
    } while (watch);
  });
}

function textFor(ctx: Context, out: string | undefined): Promise<string> {
  return out?.endsWith(".json") ? writeJsonSchema(ctx) : writeTypes(ctx);
}
