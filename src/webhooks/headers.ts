// Own headers of a webhook, such as the token that a receiver asks for. Their values are secrets: encrypted under the site key,
// shown in no answer, and sent to no other host than the one that they were written for.

import { fail } from "#base/errors.ts";
import { decryptSecret, encryptSecret, getSiteKey } from "#base/secrets.ts";
import type { App } from "#context.ts";
import { isJsonObject, type Json } from "#contract/json.ts";

/** Without a value: the stored one stays. */
export interface WantedHeader {
  name: string;
  value?: string;
}

interface SealedHeader {
  name: string;
  value: string;
}

const maxHeaders = 20;
const maxName = 100;
const maxValue = 4_000;
const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valueForm = /^[\t\x20-\x7e]*$/;
/** Set by the connection, by the body or by the signature. */
const taken = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "expect", "host", "content-length", "content-type", "content-encoding"],
  ...["webhook-id", "webhook-timestamp", "webhook-signature"],
]);

/** The headers that the body asks for; those that are stored where it names none. */
export function readHeaders(body: Json, stored: string): WantedHeader[] {
  const sent = isJsonObject(body) ? body.headers : undefined;
  const known = namesOf(stored);
  if (sent === undefined || sent === null) return known;
  const refuse = (text: string): never => fail("invalid", "The webhook is not valid.", { headers: [text] });
  if (!Array.isArray(sent) || sent.length > maxHeaders)
    return refuse(`must be a list of at most ${maxHeaders} objects with name and value`);
  const seen = new Set<string>();
  return sent.map((entry): WantedHeader => {
    const { name, value } = isJsonObject(entry) ? entry : {};
    if (typeof name !== "string" || name.length > maxName || !nameForm.test(name))
      return refuse(`must have names of letters, digits and hyphens, of at most ${maxName} characters`);
    const key = name.toLowerCase();
    if (taken.has(key)) return refuse(`must not have ${name}: Cairn sets it`);
    if (seen.has(key)) return refuse(`must have ${name} once only`);
    seen.add(key);
    if (value === undefined || value === null) {
      if (!known.some((one) => one.name.toLowerCase() === key)) return refuse(`must have a value for ${name}`);
      return { name };
    }
    if (typeof value !== "string" || value.trim() === "" || value.length > maxValue || !valueForm.test(value))
      return refuse(`must have a value for ${name} of at most ${maxValue} printable ASCII characters`);
    return { name, value };
  });
}

/** A stored value was written for its host: a change of the address must not show it to another one. */
export function checkSameHost(wanted: readonly WantedHeader[], { from, to }: { from: string; to: string }): void {
  const kept = wanted.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (kept.length === 0 || new URL(from).origin === new URL(to).origin) return;
  fail("invalid", "The webhook is not valid.", {
    headers: [`must have the value of ${kept.join(", ")} again, because the address has another host`],
  });
}

export function sealHeaders(
  app: Pick<App, "settings">,
  id: string,
  { wanted, stored }: { wanted: readonly WantedHeader[]; stored: string },
): string {
  const known = sealedIn(stored);
  const seal = ({ name, value }: WantedHeader): SealedHeader => {
    const before = known.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (value === undefined) return { name, value: before?.value ?? "" };
    return { name, value: encryptSecret(getSiteKey(app.settings.dataDir), value, purposeOf(id, name)) };
  };
  return JSON.stringify(wanted.map(seal));
}

/** As they are sent. */
export function openHeaders(app: Pick<App, "settings">, id: string, stored: string): Record<string, string> {
  const opened = sealedIn(stored).map(({ name, value }) => {
    const text = decryptSecret(getSiteKey(app.settings.dataDir), value, purposeOf(id, name));
    return [
      name.toLowerCase(),
      text ?? fail("unavailable", `The header ${name} was stored under a different site key. Write its value again.`),
    ];
  });
  return Object.fromEntries(opened);
}

export function namesOf(stored: string): { name: string }[] {
  return sealedIn(stored).map(({ name }) => ({ name }));
}

function sealedIn(stored: string): SealedHeader[] {
  return JSON.parse(stored) as SealedHeader[];
}

function purposeOf(id: string, name: string): string {
  return `webhook ${id} header ${name.toLowerCase()}`;
}
