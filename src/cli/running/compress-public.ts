// site:compress: the compressed forms of the texts in public/.

import type { Call } from "#cli/call.ts";
import { compressPublic } from "#site/pages/compress-public.ts";

export async function compress(call: Call): Promise<void> {
  const result = await compressPublic(call.settings);
  if (call.isJson) return call.out.json({ ...result });
  const { files, written, bytes, compressedBytes } = result;
  await call.out.line(`${files} files, ${written} compressed forms written: ${bytes} bytes became ${compressedBytes}.`);
}
