// A part of the admin that an extension draws.

import type { Operation } from "@contract/collections.ts";

export interface ElementPart {
  /** `{vendor}/{name}` */
  extension: string;
  extensionName: string;
  /** Name of the page or kind. */
  contribution: string;
  /** The address of the module. */
  address: string;
  /** It runs in a frame, without the session. */
  frame: boolean;
  /** Where the files of this version are, with a slash at the end. */
  assets: string;
  /** What a frame may ask for, by collection. */
  collections: { readonly [collection: string]: readonly Operation[] };
}

/** A name that no other extension, version or part has. */
export function tagOf({ extension, contribution, address, assets }: ElementPart): string {
  const hash = assets.split("/").at(-2) ?? "";
  const file = address.slice(assets.length).replace(/\.\w+$/, "");
  return `cx-${extension}-${contribution}-${file}-${hash}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
