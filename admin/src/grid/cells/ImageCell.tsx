// A thumbnail on the average colour of its picture, which is there before the picture is.

import { isJsonObject, type Json, type JsonObject } from "@contract/json.ts";
import { averageColor } from "#grid/thumbhash.ts";
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

/** Twice as many pixels, for sharp screens. A path of this server, whatever host the address names. */
function thumbnailUrl(url: string, size: number): string {
  const { pathname, searchParams } = new URL(url, location.href);
  searchParams.set("w", String(2 * size));
  searchParams.set("h", String(2 * size));
  searchParams.set("fit", "crop");
  return `${pathname}?${searchParams}`;
}
