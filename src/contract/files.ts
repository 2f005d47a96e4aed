// What image and file properties hold; galleries and depots hold several of these.

import type { Json, JsonObject } from "./json.ts";

export type ImageValue = {
  name: string;
  /** The name of the file in the store, where it is not `name`; a path below the object's, until a file of a renamed property moves. */
  storedAs?: string;
  /** The imageworks address with the content hash as `?v=`. */
  url: string;
  size: number;
  mime: string;
  alt: string;
  /** After the orientation is applied. */
  width: number;
  height: number;
  focalpoint: { x: number; y: number };
  link: string;
  featured: boolean;
  tags: string[];
  palette: string[];
  thumbhash: string;
  exif: JsonObject;
  uploadDate: string;
  /** First 8 hex digits of the bytes' SHA-256: a version token for addresses. */
  hash: string;
  [more: string]: Json;
};

export type FileValue = {
  name: string;
  storedAs?: string;
  size: number;
  ext: string;
  mime: string;
  /** The file name for downloads. */
  download: string;
  comments: string;
  tags: string[];
  protected: boolean;
  uploadDate: string;
  hash: string;
  [more: string]: Json;
};
