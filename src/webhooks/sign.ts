// Signatures of the Standard Webhooks: an HMAC over id, time and body, by a secret that only the two sides know.

import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

export function createSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

export interface Signed {
  id: string;
  /** Milliseconds since 1970. */
  now: number;
  body: string;
  /** The present one first; while a secret is being changed, both sign. */
  secrets: readonly string[];
}

export function signedHeaders({ id, now, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
