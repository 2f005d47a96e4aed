// Passwords: hashed, stored in the object's secrets under their path, never in the document.
// Sending none, or an empty one, keeps the stored one. Rules are checked on the plain text.

import { isPasswordHash } from "#base/passwords.ts";
import type { Field, FieldKind } from "#schemas/types.ts";
import { checkKeywords } from "./keywords.ts";
import { report, reportAt } from "./report.ts";

/** Enough for any passphrase; bounds the work of hashing. */
const maxLength = 1_000;

export const passwordKind: FieldKind = {
  type: "password",
  rules: "own-form",
  isEmpty: () => true,
  isShaped: () => false,
  coerce(value, field) {
    const { path, write } = field;
    if (write.isLenient) return undefined;
    if (value === "") return keepSecret(field);
    if (typeof value !== "string") return report(field, "must be text");
    if (write.isTrusted && isPasswordHash(value)) {
      write.secrets[path] = value;
      return undefined;
    }
    if (value.length > maxLength) return report(field, `must not exceed ${maxLength} characters`);
    if (/\s/.test(value)) return report(field, "must not contain spaces");
    const failures = checkKeywords(value, field.property);
    for (const { message } of failures) reportAt(field, path, message);
    const hash = write.hashes.get(value);
    if (hash === undefined) throw new Error("a password was not hashed before the write");
    write.secrets[path] = hash;
    return undefined;
  },
  // Longer ones are refused before they are needed.
  passwords: (value) => (typeof value === "string" && value !== "" && value.length <= maxLength ? [value] : []),
};

export function keepSecret({ path, write }: Pick<Field, "path" | "write">): undefined {
  const hash = write.stored[path];
  if (hash !== undefined) write.secrets[path] = hash;
}
