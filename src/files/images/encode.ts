// From finished pixels to bytes of a format. Qualities mean about the same look in each of them.

import type { Sharp } from "sharp";
import type { ImageFormat, ImageRecipe } from "#files/image-types.ts";

export const defaultQuality: Record<ImageFormat, number> = { jpg: 82, webp: 82, avif: 60, png: 100, gif: 100 };

export function encode(image: Sharp, { format, quality = defaultQuality[format] }: ImageRecipe): Sharp {
  switch (format) {
    case "jpg":
      return image.jpeg({ quality });
    case "webp":
      return image.webp({ quality });
    case "avif":
      // Higher efforts take ten times as long for a few percent.
      return image.avif({ quality, effort: 2, chromaSubsampling: "4:2:0" });
    case "png":
      return image.png();
    case "gif":
      return image.gif();
  }
}
