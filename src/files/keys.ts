// Keys of stored files: what may be one, and where derived images lie.
// Checked at every call of a store, so that no mistake above can reach a file outside of it.

import { fail } from "#base/errors.ts";

/** Derived images lie in a folder of this name beside their source. */
export const cacheFolder = ".cache";

/** Dropped files that may come back lie below this; no key of a file begins with a dot. */
export const atticFolder = ".attic";

/** Files of the service lie in these folders below it. */
export const systemFolder = ".system";
export const systemFolders: readonly string[] = ["backups", "whole-backups"];

/** S3 takes 1,024 bytes, the prefix of the bucket included. */
const maxKeyBytes = 900;
/** The name of a file in the attic may be longer than its own was, and a snapshot names its object twice. */
const maxHiddenBytes = 960;

/** The segments of a key or prefix. Fails with invalid for anything that could mean another place. */
export function checkKey(key: string, maxBytes = maxKeyBytes): string[] {
  const segments = key.split("/");
  if (Buffer.byteLength(key) > maxBytes) fail("invalid", "The path is too long.", { path: ["is too long"] });
  if (!segments.every(isSegment) || segments[0]?.startsWith(".")) fail("invalid", "The path is not allowed.");
  return segments;
}

/** Of a file in the attic, or of a folder there: it begins with the number of an object. */
export function checkAtticKey(at: string): string[] {
  return /^\d+(?:\/|$)/.test(at) ? checkKey(at, maxHiddenBytes) : fail("invalid", "The path is not allowed.");
}

/** Of a file of the service. */
export function checkSystemKey(at: string): string[] {
  const segments = checkSystemFolder(at);
  return segments.length > 1 ? segments : fail("invalid", "The path is not allowed.");
}

/** Of a folder with files of the service. */
export function checkSystemFolder(prefix: string): string[] {
  const segments = checkKey(prefix, maxHiddenBytes);
  const isAllowed = systemFolders.includes(segments[0] as string) && segments.every(isSystemSegment);
  return isAllowed ? segments : fail("invalid", "The path is not allowed.");
}

/** Hidden files are unfinished ones. */
export function isSystemSegment(segment: string): boolean {
  return isSegment(segment) && !segment.startsWith(".");
}

export function isSegment(segment: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name of a file holds one
  return segment !== "" && segment !== "." && segment !== ".." && !/[\u0000-\u001f\u007f\\/]/.test(segment);
}

export function isCached(key: string): boolean {
  return key.split("/").includes(cacheFolder);
}

/** What an upload that comes in parts, and a part of it, may be called. */
export function isPartName(name: string): boolean {
  return /^[\w-]{1,100}$/.test(name);
}

export function checkPartName(name: string): string {
  return isPartName(name) ? name : fail("invalid", "The name of the upload is not allowed.");
}
