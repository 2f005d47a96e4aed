// Names of hosts as requests and settings write them, each with its port where that is not a usual one. Two that mean the same host
// have the same key.

import { createLru } from "#base/caches/lru.ts";

/** Clients come by few names, and taking one apart costs more than looking it up. */
const known = createLru<{ key: string | undefined }>(200);

/** In lower case, without a dot at the end, without the port of http or https. Undefined for what is no host. */
export function hostKey(text: string): string | undefined {
  let found = known.get(text);
  if (!found) {
    found = { key: readKey(text) };
    if (text.length <= maxLength) known.set(text, found);
  }
  return found.key;
}

const maxLength = 300;

function readKey(text: string): string | undefined {
  if (text.length > maxLength || !/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text)) return undefined;
  const url = URL.parse(`http://${text}`);
  const name = url?.hostname.replace(/\.$/, "") ?? "";
  if (!url || name === "") return undefined;
  return url.port === "" || url.port === "443" ? name : `${name}:${url.port}`;
}
