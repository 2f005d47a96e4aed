// The OAuth signing key where several nodes share a database: in the table, encrypted with the site key, and in the memory of
// each node. The file of a single server is taken in while the table has none.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decryptSecret, encryptSecret, getSiteKey } from "#base/secrets.ts";
import type { Mirror } from "./mirror.ts";

const place = { kind: "oauth-keys", id: "signing" };
const purpose = "oauth signing key";

/** PEM; null: it is there and cannot be decrypted. */
export function findSigningKey(mirror: Mirror, dataDir: string): string | null | undefined {
  const sealed = mirror.find(place.kind, place.id);
  return sealed === undefined ? undefined : (decryptSecret(getSiteKey(dataDir), sealed, purpose) ?? null);
}

/** When it was stored. */
export function signingKeyTime(mirror: Mirror): string | undefined {
  return mirror.head(place.kind, place.id)?.updated;
}

/** False: there is one, and it stays. */
export function storeSigningKey(
  mirror: Mirror,
  dataDir: string,
  { pem, isReplacing }: { pem: string; isReplacing: boolean },
): Promise<boolean> {
  const content = encryptSecret(getSiteKey(dataDir), pem, purpose);
  return mirror.change([{ ...place, content, ...(!isReplacing && { expected: null }) }]);
}

export async function takeSigningKeyFile(mirror: Mirror, dataDir: string): Promise<void> {
  if (mirror.head(place.kind, place.id)) return;
  const file = join(dataDir, ".system", "oauth-keys", "private.key");
  const pem = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (pem !== undefined) await storeSigningKey(mirror, dataDir, { pem, isReplacing: false });
}
