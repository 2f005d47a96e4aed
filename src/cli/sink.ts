// Target of an export: a file, which appears only when it is complete, or standard output.

import { open, rename, rm } from "node:fs/promises";
import { trackTemporaryFile } from "#base/temporary-files.ts";
import type { Call } from "./call.ts";

export async function writeOut(call: Call, file: string | undefined, text: AsyncIterable<string>): Promise<void> {
  if (file === undefined || file === "-") {
    for await (const piece of text) await call.out.write(piece);
    return;
  }
  const partial = `${file}.part`;
  const handle = await open(partial, "w");
  const settle = trackTemporaryFile(partial);
  try {
    for await (const piece of text) await handle.write(piece);
    await handle.sync();
    await handle.close();
    await rename(partial, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  } finally {
    settle();
  }
}

export async function* one(text: string): AsyncIterable<string> {
  yield text;
}
