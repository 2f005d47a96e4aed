// images:warm.

import type { Call } from "#cli/call.ts";
import { withProgress } from "#cli/progress.ts";
import { warmImages } from "#media/images/derived-images.ts";

/** Ends with 1 when images failed. */
export async function warm(
  call: Call,
  _options: unknown,
  ...[collection, property, preset]: [string, string, string]
): Promise<number> {
  const { images, failed } = await call.work((ctx) =>
    withProgress(call.host.stderr, "objects", (report) =>
      warmImages(ctx, { collection, property, preset }, (objects, total) => report(objects, objects, total)),
    ),
  );
  if (call.isJson) await call.out.json({ images, failed });
  else {
    await call.out.line(`${images} images are ready.`);
    for (const key of failed) call.remark(`The preset could not be made from ${key}.`);
  }
  return failed.length === 0 ? 0 : 1;
}
