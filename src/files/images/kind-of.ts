// Distinguishes pictures, whose size bounds the work, from drawings, which may need any amount of it. By one byte, without a library.

import { open } from "node:fs/promises";

/** First bytes of JPEG, PNG, GIF, WebP, TIFF (two) and of the family of HEIF. */
const pictureStarts = new Set([0xff, 0x89, 0x47, 0x52, 0x49, 0x4d, 0x00]);

/** `drawing`: everything that is not a picture. */
export async function kindOf(path: string): Promise<"picture" | "drawing" | "empty" | "missing"> {
  const file = await open(path).catch((error) => (error.code === "ENOENT" ? undefined : Promise.reject(error)));
  if (!file) return "missing";
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, 0);
    if (bytesRead === 0) return "empty";
    return pictureStarts.has(buffer[0] as number) ? "picture" : "drawing";
  } finally {
    await file.close();
  }
}
