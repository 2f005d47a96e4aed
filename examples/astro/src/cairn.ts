// The connection to Cairn. `cairn types` writes the interface below for your own collections.

import { createClient } from "@cairn/client";

export interface Region {
  id: string;
  title: string;
}

export interface Walk {
  id: string;
  title: string;
  summary?: string;
  description?: string;
  distance?: number;
  /** The region itself where a call asks for `expand`. */
  region?: string | Region;
  image?: { url: string; alt?: string };
}

interface Collections {
  walks: Walk;
  regions: Region;
}

export const cairn = createClient<Collections>({ url: import.meta.env.CAIRN_URL ?? "http://127.0.0.1:8080" });
export const walks = cairn.collection("walks");

/** The build ends with what is wrong, instead of a site without content. */
export function needed<T>(answer: { ok: true; data: T } | { ok: false; error: { message: string } }): T {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data;
}
