// A password that is being typed: text once it was typed twice in the same way, else both texts. Pure.

import { isJsonObject } from "@contract/json.ts";
import type { FieldValue } from "#fields/field-kind.ts";

export interface TypedPassword {
  password: string;
  confirmed: string;
}

export function readPassword(value: FieldValue): TypedPassword {
  if (typeof value === "string") return { password: value, confirmed: value };
  const { password, confirmed } = isJsonObject(value) ? value : {};
  return { password: String(password ?? ""), confirmed: String(confirmed ?? "") };
}
