// From finished pixels to bytes of a format. Qualities mean about the same look in each of them.

import type { Sharp } from "sharp";
import type { ImageFormat, ImageRecipe } from "#files/image-types.ts";

export const defaultQuality: Record<ImageFormat, number> = { jpg: 82, webp: 82, avif: 60, png: 100, gif: 100 };

/** Above it, encoders save time instead of bytes: a result must be there before its time is up. */
const largeArea = 2_000_000;

export function encode(image: Sharp, recipe: ImageRecipe, size: { width: number; height: number }): Sharp {
  const { format, quality = defaultQuality[format] } = recipe;
  const isLarge = size.width * size.height > largeArea;
  switch (format) {
    case "jpg":
      return image.jpeg({ quality });
    case "webp":
      return image.webp({ quality, effort: isLarge ? 1 : 4 });
    case "avif":
      return image.avif({ quality, effort: isLarge ? 1 : 2, chromaSubsampling: "4:2:0" });
    case "png":
      return image.png();
    case "gif":
      return image.gif({ effort: isLarge ? 1 : 7 });
  }
}
