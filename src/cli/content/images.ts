// images:warm.

import type { Call } from "#cli/call.ts";
import { withProgress } from "#cli/progress.ts";
import { warmImages } from "#media/images/derived-images.ts";

/** Ends with 1 when images are left out. */
export async function warm(
  call: Call,
  _options: unknown,
  ...[collection, property, preset]: [string, string, string]
): Promise<number> {
  const { images, failed } = await call.work((ctx) =>
    withProgress(call.host.stderr, "objects", (tell) =>
      warmImages(ctx, { collection, property, preset }, (objects, total) => tell(objects, objects, total)),
    ),
  );
  if (call.isJson) await call.out.json({ images, failed });
  else {
    await call.out.line(`${images} images are ready.`);
    for (const key of failed) call.remark(`No image can be made from ${key}.`);
  }
  return failed.length === 0 ? 0 : 1;
}
