// The part of a mail that it is composed from.

import type { JsonObject } from "@contract/json.ts";

const parts = ["from", "fromName", "to", "toName", "replyTo", "cc", "bcc", "subject", "bodyHtml", "bodyText"];

export function mailOf(values: JsonObject): JsonObject {
  return Object.fromEntries(parts.map((name) => [name, values[name] ?? ""]));
}
