// All nodes of a site have one site key, and it is never in the database: only its fingerprint is, by which a node with
// another key is refused before it writes anything.

import { findSiteKey, getSiteKey, siteKeyFingerprint } from "#base/secrets.ts";
import type { Storage } from "#storage/port.ts";
import { changeDefinition, findDefinitions, listDefinitions } from "#storage/tables/nodes/definitions.ts";

const place = { kind: "site-key", id: "fingerprint" };
const cure = "Give every node the same key, by CAIRN_SITE_KEY or CAIRN_SITE_KEY_FILE.";

/** The problem of this node; undefined: it may join. The first node decides, and makes a key when it has none. */
export async function admitNode(storage: Storage, dataDir: string, now: string): Promise<string | undefined> {
  const find = async () => (await findDefinitions(storage, place.kind, [place.id]))[0]?.content;
  let expected = await find();
  if (expected === undefined) {
    const content = siteKeyFingerprint(getSiteKey(dataDir));
    await storage.write((tx) => changeDefinition(tx, { ...place, content, updated: now, expected: null }));
    expected = await find();
  }
  const key = findSiteKey(dataDir);
  if (!key) return `The site has a site key, and this node has none. ${cure}`;
  return siteKeyFingerprint(key) === expected ? undefined : `The site has another site key than this node. ${cure}`;
}

/** Tells the database of this site from any other; copies of it have the same. */
export async function siteMark(storage: Storage): Promise<string | undefined> {
  return (await listDefinitions(storage, [place.kind]))[0]?.updated;
}
