// A thumbnail on the average colour of its picture, which is there before the picture is.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { thumbnailUrl } from "#files/image/image-url.ts";
import { averageColor } from "#files/image/thumbhash.ts";
import type { CellProps } from "./cell.ts";
import css from "./cells.module.css";

export function ImageCell({ value }: CellProps) {
  const image = firstImage(value);
  return image && <Thumbnail image={image} size={40} className={css.image} />;
}

/** `size`: of the longer side, in CSS pixels. The name of the object stands beside it, so it has none. */
export function Thumbnail({ image, size, className }: { image: JsonObject; size: number; className?: string }) {
  const background = typeof image.thumbhash === "string" ? averageColor(image.thumbhash) : undefined;
  return (
    <img
      src={thumbnailUrl(String(image.url), size)}
      alt=""
      loading="lazy"
      decoding="async"
      width={size}
      height={size}
      className={className}
      style={{ backgroundColor: background }}
    />
  );
}

export function firstImage(value: Json | undefined): JsonObject | undefined {
  const image = Array.isArray(value)
    ? (value.find((one) => isJsonObject(one) && one.featured === true) ?? value[0])
    : value;
  return isJsonObject(image) && typeof image.url === "string" && image.url !== "" ? image : undefined;
}
