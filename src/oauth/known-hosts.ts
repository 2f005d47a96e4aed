// Whether the receiver of a code needs no warning: this site, this machine, a client that an
// administrator made, or a host that this user has sent a code to before.

import type { App } from "#context.ts";
import { listKnownRedirects } from "#storage/tables/oauth-clients.ts";
import { issuerOf } from "./issuer.ts";
import { receiverKey, receiverOf } from "./redirect-uris.ts";

export async function isKnownReceiver(app: App, redirectUri: string, userId: string): Promise<boolean> {
  if (receiverOf(redirectUri).isLocal || receiverKey(redirectUri) === receiverKey(issuerOf(app))) return true;
  const known = await listKnownRedirects(app.storage, userId);
  return known.some((uri) => receiverKey(uri) === receiverKey(redirectUri));
}
