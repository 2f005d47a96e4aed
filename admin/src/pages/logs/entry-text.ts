// The words of one entry: its caller, and whatever else its line says.

import type { AuditEntry } from "@contract/audit.ts";
import type { Json } from "@contract/json.ts";

/** Shown in columns of their own. */
const known = ["id", "time", "type", "level", "message", "actor", "user", "user_id", "impersonator"];

export function detailsOf(entry: AuditEntry): [name: string, value: string][] {
  return Object.entries(entry)
    .filter(([name, value]) => !known.includes(name) && value !== undefined && value !== null)
    .map(([name, value]) => [name, valueText(value as Json)]);
}

/** Says most in a few words; where a request came from is among the details. */
export function summaryOf(entry: AuditEntry): string {
  const told = detailsOf(entry).filter(([name]) => name !== "address" && name !== "requestId");
  return told.map(([name, value]) => `${name} ${value}`).join(", ");
}

function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface Callers {
  system: string;
  anonymous: string;
  keyOf: (id: string) => string;
  keyNamed: (name: string, id: string) => string;
  appOf: (client: string, user: string) => string;
  actingAs: (who: string, user: string) => string;
}

/** `keys`: the names of those that the reader may know. `user:ada`, `key:id`, `token:ada:client`, `system` or `anonymous`, in words. */
export function callerOf(
  { actor = "", impersonator }: AuditEntry,
  words: Callers,
  keys: ReadonlyMap<string, string> = new Map(),
): string {
  const [kind, id = "", client = ""] = actor.split(/:(.*?)(?::(.*))?$/s);
  const key = keys.get(id);
  if (kind === "key") return key === undefined ? words.keyOf(id) : words.keyNamed(key, id);
  if (kind === "token") return words.appOf(client, id);
  if (kind === "user") return typeof impersonator === "string" ? words.actingAs(impersonator, id) : id;
  if (kind === "system") return words.system;
  return kind === "anonymous" ? words.anonymous : actor;
}

export function isBad({ type, level }: AuditEntry): boolean {
  return level === "WARNING" || level === "ERROR" || /failed|throttled|rejected|denied|disabled/.test(type);
}
