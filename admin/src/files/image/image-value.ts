// What an image property holds, read from a form: a value may be anything that was typed into the JSON tab. Pure.

import { isJsonObject } from "@contract/json.ts";
import { type ImageValue, imagesOf, isImage } from "./is-image.ts";

/** What people say about a picture; the rest belongs to the file. */
const said = ["alt", "link", "featured", "tags"] as const;

/** Text of an image; empty where it is none. */
export function textOf(image: ImageValue, key: string): string {
  const value = image[key];
  return typeof value === "string" ? value : "";
}

export function numberOf(image: ImageValue, key: string): number {
  const value = image[key];
  return typeof value === "number" ? value : 0;
}

export function tagsOf({ tags }: ImageValue): string[] {
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}

export function focusOf({ focalpoint }: ImageValue): { x: number; y: number } {
  const { x, y } = isJsonObject(focalpoint) ? focalpoint : {};
  return typeof x === "number" && typeof y === "number" ? { x, y } : { x: 50, y: 50 };
}

/** A new picture has come while the old one was edited: what was said stays said. */
export function mergeImage({ mine, before, stored }: { mine: unknown; before: unknown; stored: unknown }): unknown {
  if (!isImage(mine) || !isImage(before) || !isImage(stored)) return stored;
  const changed = said.filter((key) => JSON.stringify(mine[key]) !== JSON.stringify(before[key]));
  return { ...stored, ...Object.fromEntries(changed.map((key) => [key, mine[key]])) };
}

/** New pictures of a gallery go to the end of an order that was changed. */
export function mergeGallery({ mine, before, stored }: { mine: unknown; before: unknown; stored: unknown }): unknown {
  const known = new Set(imagesOf(before).map(({ name }) => name));
  return [...imagesOf(mine), ...imagesOf(stored).filter(({ name }) => !known.has(name))];
}

/**
 * Where the picture lies in a box of another shape, as `object-position`, in percent: around the focal point, as near as the
 * edges allow.
 */
export function cropPosition(
  { width, height }: { width: number; height: number },
  ratio: number,
  focus: { x: number; y: number },
): { x: number; y: number } {
  const share = width > 0 && height > 0 ? width / height / ratio : 1;
  return { x: alongSide(share, focus.x), y: alongSide(1 / share, focus.y) };
}

/** `length`: of the picture's side, measured in sides of the box. */
function alongSide(length: number, focus: number): number {
  if (length <= 1) return 50;
  const offset = Math.min(length - 1, Math.max(0, (focus / 100) * length - 0.5));
  return (offset / (length - 1)) * 100;
}

/** Words separated by commas, each once. */
export function readTags(text: string): string[] {
  return [...new Set(text.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== "");
}

/** As the server: a web address, a mail address, a phone number or a path. */
export function isLink(link: string): boolean {
  const scheme = /^([^/?#:]*):/.exec(link.replace(/\s/g, ""))?.[1];
  return scheme === undefined || /^(?:https?|mailto|tel)$/i.test(scheme);
}
